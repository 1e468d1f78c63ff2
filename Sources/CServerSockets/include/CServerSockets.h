#ifndef CSERVERSOCKETS_H
#define CSERVERSOCKETS_H

// Linux's epoll and accept4, which Swift's module of the C library does not contain.

/// Creates a set of descriptors. Its own descriptor can be read when one of them is ready.
///
/// @return The set's descriptor, or -1 with errno.
int CServerSockets_createSet(void);

/// Watches a descriptor, for input or for output. One that is watched already is changed.
void CServerSockets_watch(int set, int descriptor, int isForOutput);

/// Stops watching a descriptor.
void CServerSockets_unwatch(int set, int descriptor);

/// Finds descriptors that are ready, without waiting.
///
/// @return Their number.
int CServerSockets_ready(int set, int *descriptors, int capacity);

/// Accepts a connection whose descriptor does not block and is closed in other programs.
///
/// @return The descriptor, or -1 with errno.
int CServerSockets_accept(int listener);

#endif
