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

// Creates two connected sockets that are not inherited, of which the second one does not block. Returns 0, or an error
// number.
int CTerminal_socketPair(int ends[2]);

// Writes bytes to a socket, without a signal if the other end is gone.
void CTerminal_send(int socket, const char *bytes, size_t count);

// Writes a byte to a descriptor for each signal of a window change ('w'), a stop ('s') and a continuation ('c').
// The descriptor must not block.
void CTerminal_watchSignals(int descriptor);

// Returns these signals to their default action.
void CTerminal_unwatchSignals(void);

// Stops the process by SIGTSTP as a shell expects it, and returns when it continues.
void CTerminal_stop(void);

enum { CTerminal_maximumRestoration = 512 };

// Restores the terminal when a fatal signal arrives, before the signal's earlier action ends the process: writes the
// bytes, sets the attributes, and writes the notice to another descriptor. Signals that are ignored or handled by
// others stay so, except those of program errors. Returns 0, or -1 if there are too many bytes.
int CTerminal_armRestoration(int terminal, const uint8_t *bytes, size_t count, const struct termios *attributes,
                             int noticeDescriptor, const char *notice);

// Ends what CTerminal_armRestoration began, and restores the earlier actions. Returns 0 if a handler
// of a fatal signal restores the terminal already, or there is nothing to restore.
int CTerminal_disarmRestoration(void);

#endif
