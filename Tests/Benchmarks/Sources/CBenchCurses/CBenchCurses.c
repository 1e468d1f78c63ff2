#define _GNU_SOURCE
#define NCURSES_WIDECHAR 1
#include "CBenchCurses.h"

#include <curses.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

// MARK: Terminals

struct BenchTerminal {
    int master;
    int slave;
    pthread_t reader;
    _Atomic size_t count;
};

static void *discard(void *context) {
    BenchTerminal *terminal = context;
    char buffer[65536];
    ssize_t count;
    // Fails when the last descriptor of the other end is closed.
    while ((count = read(terminal->master, buffer, sizeof buffer)) > 0) terminal->count += (size_t)count;
    return NULL;
}

BenchTerminal *BenchTerminal_open(int columns, int rows) {
    BenchTerminal *terminal = calloc(1, sizeof *terminal);
    if (!terminal) return NULL;
    terminal->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal->master < 0 || grantpt(terminal->master) || unlockpt(terminal->master)) goto failed;
    terminal->slave = open(ptsname(terminal->master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal->slave < 0) goto failed;
    struct termios attributes;
    tcgetattr(terminal->slave, &attributes);
    cfmakeraw(&attributes);
    tcsetattr(terminal->slave, TCSANOW, &attributes);
    struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
    ioctl(terminal->slave, TIOCSWINSZ, &size);
    if (pthread_create(&terminal->reader, NULL, discard, terminal)) goto failed;
    return terminal;
failed:
    free(terminal);
    return NULL;
}

int BenchTerminal_descriptor(const BenchTerminal *terminal) { return terminal->slave; }

size_t BenchTerminal_byteCount(const BenchTerminal *terminal) { return terminal->count; }

void BenchTerminal_close(BenchTerminal *terminal) {
    close(terminal->slave);
    pthread_join(terminal->reader, NULL);
    close(terminal->master);
    free(terminal);
}

// MARK: A browser

struct BenchCurses {
    SCREEN *screen;
    FILE *output;
    FILE *input;
    void *table;
    BenchField field;
    BenchColumn *columns;
    char **names;
    int columnCount;
};

BenchCurses *BenchCurses_begin(BenchTerminal *terminal, void *table, BenchField field, const BenchColumn *columns, int columnCount,
                               const char *const *names) {
    setlocale(LC_CTYPE, "C.UTF-8");
    BenchCurses *curses = calloc(1, sizeof *curses);
    if (!curses) return NULL;
    curses->output = fdopen(dup(terminal->slave), "w");
    curses->input = fdopen(dup(terminal->slave), "r");
    curses->screen = newterm("xterm-256color", curses->output, curses->input);
    if (!curses->screen) {
        fclose(curses->output);
        fclose(curses->input);
        free(curses);
        return NULL;
    }
    curses->table = table;
    curses->field = field;
    curses->columns = malloc(sizeof *columns * (size_t)columnCount);
    memcpy(curses->columns, columns, sizeof *columns * (size_t)columnCount);
    curses->columnCount = columnCount;
    curses->names = malloc(sizeof *names * (size_t)columnCount);
    for (int column = 0; column < columnCount; column++) curses->names[column] = strdup(names[column]);
    set_term(curses->screen);
    raw();
    noecho();
    curs_set(0);
    // The library may move rows by a scroll region.
    idlok(stdscr, TRUE);
    return curses;
}

// Returns the bytes of the longest beginning of a text that fits into a width, and its cells.
static int fitting(const char *text, int width, int *cells) {
    mbstate_t state = {0};
    int used = 0, bytes = 0, total = (int)strlen(text);
    while (bytes < total) {
        unsigned char byte = (unsigned char)text[bytes];
        int length = 1, wide = 1;
        if (byte >= 0x80) {
            wchar_t character;
            length = (int)mbrtowc(&character, text + bytes, (size_t)(total - bytes), &state);
            if (length <= 0) break;
            wide = wcwidth(character);
            if (wide < 0) wide = 1;
        }
        if (used + wide > width) break;
        used += wide;
        bytes += length;
    }
    *cells = used;
    return bytes;
}

static void drawField(int row, const BenchColumn *column, const char *text) {
    int cells;
    int bytes = fitting(text, column->width, &cells);
    if (text[bytes]) {
        bytes = fitting(text, column->width - 1, &cells);
        mvaddnstr(row, column->start, text, bytes);
        mvaddstr(row, column->start + column->width - 1, "…");
    } else {
        mvaddnstr(row, column->start + (column->isNumber ? column->width - cells : 0), text, bytes);
    }
}

bool BenchCurses_draw(BenchCurses *curses, int first, int focus, int count) {
    set_term(curses->screen);
    erase();
    attrset(A_BOLD | A_UNDERLINE);
    mvhline(0, 0, ' ', COLS);
    for (int column = 0; column < curses->columnCount; column++) drawField(0, &curses->columns[column], curses->names[column]);
    for (int row = 1; row < LINES - 1; row++) {
        int number = first + row - 1;
        if (number >= count) break;
        attrset(number == focus ? A_REVERSE : A_NORMAL);
        if (number == focus) mvhline(row, 0, ' ', COLS);
        for (int column = 0; column < curses->columnCount; column++)
            drawField(row, &curses->columns[column], curses->field(curses->table, number, column));
    }
    attrset(A_REVERSE);
    mvhline(LINES - 1, 0, ' ', COLS);
    mvaddstr(LINES - 1, 1, "people");
    char position[64];
    int length = snprintf(position, sizeof position, " %d/%d  ? help ", focus + 1, count);
    mvaddnstr(LINES - 1, COLS - length, position, length);
    return refresh() == OK;
}

void BenchCurses_end(BenchCurses *curses) {
    set_term(curses->screen);
    endwin();
    delscreen(curses->screen);
    fclose(curses->output);
    fclose(curses->input);
    for (int column = 0; column < curses->columnCount; column++) free(curses->names[column]);
    free(curses->names);
    free(curses->columns);
    free(curses);
}
