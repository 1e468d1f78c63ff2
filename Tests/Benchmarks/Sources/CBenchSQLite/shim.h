// The database's public C API: what the plain work is written in. No code.
#include <sqlite3.h>
