#include "CBridgeScript.h"

// The page that shows a view in a browser, with its whole script.
static const unsigned char html[] = {
#embed "../../JS/page/index.html"
};
static const unsigned char style[] = {
#embed "../../JS/page/page.css"
};
static const unsigned char script[] = {
#embed "../../JS/bundles/served_page.js"
};

BridgeScriptText bridge_page_html(void) { return (BridgeScriptText){html, sizeof html}; }
BridgeScriptText bridge_page_style(void) { return (BridgeScriptText){style, sizeof style}; }
BridgeScriptText bridge_page_script(void) { return (BridgeScriptText){script, sizeof script}; }
