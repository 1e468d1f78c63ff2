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

// Opens an entry below a folder with flags and a mode of open(), with the same restrictions of its path. Returns the
// descriptor, or the negative error number.
int CFileAccess_openEntry(int folder, const char *path, int flags, unsigned int mode);

// Opens an entry below a folder for lookups only (O_PATH), with further flags and the same restrictions of its path.
int CFileAccess_openPath(int folder, const char *path, int flags);

// Returns 1 if a descriptor is of a file system that shows the kernel (such as /proc), else 0.
int CFileAccess_showsKernel(int descriptor);

#endif
