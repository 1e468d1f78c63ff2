// Opens files below a folder, which requires a system call that the C library does not wrap.
#ifndef CFILEACCESS_H
#define CFILEACCESS_H

// Opens a file for reading below a folder: no path and no symbolic link leads out of it, and no link is followed. It
// never waits for a writer of a pipe. Returns the descriptor, or the negative error number: -ENOSYS if the kernel lacks
// the call.
int CFileAccess_openBeneath(int folder, const char *path);

// Opens a file for reading at any path; links are followed. It never waits for a writer of a pipe.
int CFileAccess_open(const char *path);

// Opens a folder for lookups below it; links are followed.
int CFileAccess_openFolder(const char *path);

#endif
