// For pipe2, syscall and the program headers.
#define _GNU_SOURCE
#include "CJavaScriptCoreSPI.h"
#include "engine_library.h"
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

// MARK: Signals

static bool is_engine_handler(const struct sigaction *action) {
    if (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN) return true;
    return jsb_is_in_engine((void *)action->sa_handler);
}

static bool is_same_action(const struct sigaction *first, const struct sigaction *second) {
    return first->sa_handler == second->sa_handler && first->sa_flags == second->sa_flags;
}

struct jsb_signal_actions {
    struct sigaction actions[NSIG];
    bool is_known[NSIG];
};

jsb_signal_actions *jsb_save_signal_actions(void) {
    jsb_signal_actions *saved = calloc(1, sizeof *saved);
    for (int number = 1; saved && number < NSIG; number++)
        saved->is_known[number] = sigaction(number, 0, &saved->actions[number]) == 0;
    return saved;
}

void jsb_restore_signal_actions(jsb_signal_actions *saved, int except) {
    for (int number = 1; saved && number < NSIG; number++) {
        struct sigaction current;
        if (number == except || !saved->is_known[number] || sigaction(number, 0, &current)) continue;
        // A change by another thread of the host in the meantime belongs to the host.
        if (!is_same_action(&current, &saved->actions[number]) && is_engine_handler(&current))
            sigaction(number, &saved->actions[number], 0);
    }
    free(saved);
}

// MARK: Descriptors

int jsb_count_free_descriptors(int wanted) {
    int descriptors[64];
    int count = 0;
    if (wanted > 64) wanted = 64;
    while (count < wanted && (descriptors[count] = eventfd(0, EFD_CLOEXEC)) >= 0) count++;
    for (int index = 0; index < count; index++) close(descriptors[index]);
    return count;
}

// MARK: Memory

bool jsb_memory_reader_open(struct jsb_memory_reader *reader) {
    return pipe2(reader->descriptors, O_CLOEXEC | O_NONBLOCK) == 0;
}

void jsb_memory_reader_close(struct jsb_memory_reader *reader) {
    close(reader->descriptors[0]);
    close(reader->descriptors[1]);
}

// The system copies what is written to a pipe, and reports unreadable memory. Not write(), which a sanitizer replaces:
// it would end the process, because a read may reach past the end of an object of the engine.
size_t jsb_read_available(const struct jsb_memory_reader *reader, uint64_t address, void *target, size_t count) {
    const long written = syscall(SYS_write, reader->descriptors[1], (const void *)address, count);
    if (written <= 0) return 0;
    const ssize_t copied = read(reader->descriptors[0], target, (size_t)written);
    return copied > 0 ? (size_t)copied : 0;
}

bool jsb_read_memory(const struct jsb_memory_reader *reader, uint64_t address, void *target, size_t count) {
    return jsb_read_available(reader, address, target, count) == count;
}

// MARK: Build

bool jsb_engine_build_id(char target[65]) {
    const struct dl_phdr_info *info = jsb_engine_library();
    for (int index = 0; index < info->dlpi_phnum; index++) {
        if (info->dlpi_phdr[index].p_type != PT_NOTE) continue;
        const char *note = (const char *)info->dlpi_addr + info->dlpi_phdr[index].p_vaddr;
        const char *end = note + info->dlpi_phdr[index].p_memsz;
        while (note + sizeof(ElfW(Nhdr)) < end) {
            const ElfW(Nhdr) *header = (const void *)note;
            const char *name = note + sizeof *header;
            const unsigned char *text = (const unsigned char *)name + ((header->n_namesz + 3) & ~3u);
            if (header->n_type == NT_GNU_BUILD_ID && header->n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
                const unsigned count = header->n_descsz < 32 ? header->n_descsz : 32;
                for (unsigned byte = 0; byte < count; byte++) sprintf(target + 2 * byte, "%02x", text[byte]);
                return true;
            }
            note = (const char *)text + ((header->n_descsz + 3) & ~3u);
        }
    }
    return false;
}

// MARK: Layout

struct jsb_layout jsb_engine_layout;
void jsb_set_layout(struct jsb_layout layout) {
    // If the layout is unchanged, other threads may already be reading by it.
    if (memcmp(&jsb_engine_layout, &layout, sizeof layout)) jsb_engine_layout = layout;
}
