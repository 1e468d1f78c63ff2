// Shared by the files of the module loader.
#ifndef JSB_MODULE_SOURCE_H
#define JSB_MODULE_SOURCE_H

// Compares the layout of the library's source providers with the expected one. Returns NULL, or the first difference.
const char *jsb_probe_module_sources(void);

#endif
