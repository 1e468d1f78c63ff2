#ifndef CWEBSOCKETS_SHIM_H
#define CWEBSOCKETS_SHIM_H

#include <libwebsockets.h>

// The definition is a computation, which Swift does not import.
static const int CWebSockets_PRE = LWS_PRE;

/// Watches a descriptor that is not a socket. The library's own parameter is a union, of which Swift needs a copy.
static inline struct lws *CWebSockets_watch(struct lws_context *context, int descriptor, const char *protocol) {
    lws_sock_file_fd_type value;
    value.filefd = descriptor;
    return lws_adopt_descriptor_vhost(
        lws_get_vhost_by_name(context, "default"), LWS_ADOPT_RAW_FILE_DESC, value, protocol, NULL);
}

#endif
