#pragma once

#include <stddef.h>

// A terminal for one side of a case: a pseudo-terminal in raw mode, whose other end a thread reads and discards.
typedef struct BenchTerminal BenchTerminal;

// Opens a terminal of a size; NULL if the system has none.
BenchTerminal *BenchTerminal_open(int columns, int rows);
// The descriptor that a program writes to.
int BenchTerminal_descriptor(const BenchTerminal *terminal);
// The number of bytes that were read from the other end.
size_t BenchTerminal_byteCount(const BenchTerminal *terminal);
void BenchTerminal_close(BenchTerminal *terminal);

// A column of a table: its first cell, its width, and whether its values are numbers.
typedef struct {
    int start;
    int width;
    int isNumber;
} BenchColumn;

// A browser of a table as a program draws it with ncursesw: it draws every visible row, and the library finds what has
// changed.
typedef struct BenchCurses BenchCurses;

// Returns a field of a row as UTF-8.
typedef const char *(*BenchField)(void *table, int row, int column);

// Begins with a terminal, whose size is that of the screen; NULL if the library knows no xterm-256color.
BenchCurses *BenchCurses_begin(BenchTerminal *terminal, void *table, BenchField field, const BenchColumn *columns, int columnCount,
                               const char *const *names);
// Draws the rows from one on, with the focus on another one, and writes what has changed; true if it was written.
_Bool BenchCurses_draw(BenchCurses *curses, int first, int focus, int count);
void BenchCurses_end(BenchCurses *curses);
