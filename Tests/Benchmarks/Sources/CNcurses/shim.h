// The public C API of ncursesw, in which a plain program is written (CBenchCurses). No code.
#include <curses.h>
