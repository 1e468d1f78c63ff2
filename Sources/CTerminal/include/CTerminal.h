// The parts of a terminal program that must be C: widths of code points, and signal handlers.
#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stddef.h>
#include <stdint.h>
#include <termios.h>

// Returns the number of cells of a code point by the C library's table, whatever the locale of the process is: 0 for
// one that combines, -1 for one that is not printable or not known.
int CTerminal_width(uint32_t codePoint);

// Creates a pipe whose ends do not block and are not inherited. Returns 0, or an error number.
int CTerminal_pipe(int ends[2]);

// MARK: The screen of a program
//
// The bytes that enter and leave the screen, and the attributes to restore, wait in a pipe, in this order. They are moved
// to the terminal by splice, which takes from the pipe exactly what the terminal has taken. So the program, its handler
// of a fatal signal and its guardian continue where another one was killed, and nothing reaches the terminal twice.

enum { CTerminal_maximumBytes = 512 };

// Write the bytes that enter or leave the screen, and return their number.
size_t CTerminal_enterBytes(char bytes[CTerminal_maximumBytes]);
size_t CTerminal_leaveBytes(char bytes[CTerminal_maximumBytes]);

// Fills an empty pipe. Returns 0, or an error number.
int CTerminal_prepare(int pipe, const struct termios *attributes);

// Moves the bytes that enter the screen. Returns 0, EAGAIN if the terminal has not taken all in time, or an error number.
int CTerminal_enter(int pipe, int terminal, int milliseconds);

// Moves the bytes that leave what was entered, sets the attributes, and takes them from the pipe. Without attributes,
// those in the pipe are set. A negative time waits for as long as the terminal exists. Returns whether the pipe is empty.
// Handlers of signals may call it.
int CTerminal_leave(int pipe, int terminal, const struct termios *attributes, int milliseconds);

// Waits until a pipe has no writer any more, and leaves the screen.
void CTerminal_guard(int pipe, int terminal);

// MARK: Signals

// Writes a byte to a descriptor for each signal of a window change ('w'), a stop ('s') and a continuation ('c').
// The descriptor must not block.
void CTerminal_watchSignals(int descriptor);

// Returns these signals to their default action.
void CTerminal_unwatchSignals(void);

// Stops the process by SIGTSTP as a shell expects it, and returns when it continues.
void CTerminal_stop(void);

// Leaves the screen when a fatal signal arrives, before the signal's earlier action ends the process. Signals that are
// ignored or handled by others stay so, except those of program errors.
void CTerminal_armRestoration(int pipe, int terminal, const struct termios *attributes);

// Ends what CTerminal_armRestoration began, and restores the earlier actions.
void CTerminal_disarmRestoration(void);

#endif
