// Opening files below a folder, which takes a system call that the C library has no function for.
#ifndef CFILEACCESS_H
#define CFILEACCESS_H

// Opens a file for reading below a folder: no path and no symbolic link leads out of it, and no link is followed. It never
// waits for a writer of a pipe. Gives the descriptor, or the negative error number: -ENOSYS where the kernel cannot do it.
int CFileAccess_openBeneath(int folder, const char *path);

// Opens a file for reading wherever it is; links are followed. It never waits for a writer of a pipe.
int CFileAccess_open(const char *path);

// Opens a folder to look below it; links are followed.
int CFileAccess_openFolder(const char *path);

#endif
