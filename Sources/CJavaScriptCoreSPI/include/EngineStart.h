// Work before the engine's first use in a process, and what it finds out about the loaded library.
#ifndef JSB_ENGINE_START_H
#define JSB_ENGINE_START_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The current actions of all signals; NULL if memory is exhausted.
typedef struct jsb_signal_actions jsb_signal_actions;
jsb_signal_actions *jsb_save_signal_actions(void);
// Restores each action that the engine has changed since then, except that of one signal, and frees the copy.
void jsb_restore_signal_actions(jsb_signal_actions *saved, int except);

// Returns the number of descriptors that the process can still open, up to the wanted number and at most 64.
int jsb_count_free_descriptors(int wanted);

// Reads any memory of this process; it uses two descriptors.
struct jsb_memory_reader {
    int descriptors[2];
};
bool jsb_memory_reader_open(struct jsb_memory_reader *reader);
void jsb_memory_reader_close(struct jsb_memory_reader *reader);
// Copies up to 16,384 bytes, and returns their number: fewer, or none, if memory that cannot be read follows.
size_t jsb_read_available(const struct jsb_memory_reader *reader, uint64_t address, void *target, size_t count);
// The same; returns false if not all of them can be read.
bool jsb_read_memory(const struct jsb_memory_reader *reader, uint64_t address, void *target, size_t count);

// Writes the build ID of the engine's library as hexadecimal digits; returns false if it has none.
bool jsb_engine_build_id(char target[65]);

// The positions of what the fast path reads: offsets and bits of the engine's private layout, in bytes, words of 8
// bytes and bit numbers. EngineProfile.Layout describes each. It is set once, before the first value is read.
struct jsb_layout {
    uint8_t type_byte;
    uint8_t string_type;
    uint8_t string_word;
    uint8_t rope_bit;
    uint8_t length_byte;
    uint8_t characters_byte;
    uint8_t flags_byte;
    uint8_t narrow_bit;
    uint8_t data_word;
    uint8_t callee_slot;
    uint8_t count_slot;
    uint8_t argument_slot;
};
extern struct jsb_layout jsb_engine_layout;
void jsb_set_layout(struct jsb_layout layout);

// The slots of a call frame. The count includes `this`, and is in the lower half of its slot.
static inline uint32_t jsb_frame_count(const uint64_t *frame) {
    // The engine writes the halves one after the other: a load of both waits until the stores are done (7 ns of 25 a call).
    uint32_t count;
    __builtin_memcpy(&count, frame + jsb_engine_layout.count_slot, sizeof count);
    return count;
}
static inline uint64_t jsb_frame_callee(const uint64_t *frame) { return frame[jsb_engine_layout.callee_slot]; }
static inline const uint64_t *jsb_frame_arguments(const uint64_t *frame) {
    return frame + jsb_engine_layout.argument_slot;
}

// The characters of a string in the engine's memory.
struct jsb_characters {
    const void *start;
    uint32_t count;
    bool is_narrow;
};
// Returns false if the cell is not a string, or is a rope that is not yet flat.
static inline bool jsb_string_characters(uint64_t cell, struct jsb_characters *characters) {
    const struct jsb_layout *layout = &jsb_engine_layout;
    if (((const uint8_t *)cell)[layout->type_byte] != layout->string_type) return false;
    const uint64_t string = ((const uint64_t *)cell)[layout->string_word];
    if (string >> layout->rope_bit & 1 || !string) return false;
    characters->count = *(const uint32_t *)(string + layout->length_byte);
    characters->start = *(const void *const *)(string + layout->characters_byte);
    characters->is_narrow = *(const uint32_t *)(string + layout->flags_byte) >> layout->narrow_bit & 1;
    return true;
}

// Returns the private data of an object that the C API created.
static inline void *jsb_private_data(uint64_t cell) {
    void *const *data = ((void *const *const *)cell)[jsb_engine_layout.data_word];
    return data ? *data : 0;
}

#endif
