#include "CPageFiles.h"

static const unsigned char markup[] = {
#embed "../../JS/page/index.html"
};
static const unsigned char style[] = {
#embed "../../JS/page/page.css"
};
static const unsigned char script[] = {
#embed "../../JS/bundles/served_page.js"
};

static const PageFileText files[] = {
    {"/", "text/html; charset=utf-8", markup, sizeof markup},
    {"/page.css", "text/css; charset=utf-8", style, sizeof style},
    {"/page.js", "text/javascript; charset=utf-8", script, sizeof script},
};
int page_file_count(void) { return sizeof files / sizeof *files; }
PageFileText page_file(int index) { return files[index]; }
