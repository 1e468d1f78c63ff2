// The state that is safe on the disk, beside the state that the running system sees: each file's bytes as of its last
// sync, and the later writes.

#include "internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR = 512, FILES = 16 };

struct change {
    struct change *next;
    sqlite3_int64 offset;
    int count;         // -1: the file is cut at the offset
    unsigned char bytes[];
};

struct image {
    unsigned char *bytes;
    sqlite3_int64 size;
    sqlite3_int64 capacity;
};

struct disk_file {
    char path[1024];
    struct image synced;
    struct change *first, **last;
};

static struct disk_file files[FILES];
static char recorded[1024];

void store_faults_record(const char *folder) { snprintf(recorded, sizeof recorded, "%s/", folder); }

static void resize(struct image *image, sqlite3_int64 size) {
    if (size > image->capacity) {
        sqlite3_int64 capacity = size * 2;
        image->bytes = realloc(image->bytes, (size_t)capacity);
        if (!image->bytes) abort();
        memset(image->bytes + image->capacity, 0, (size_t)(capacity - image->capacity));
        image->capacity = capacity;
    }
    if (size < image->size) memset(image->bytes + size, 0, (size_t)(image->size - size));
    image->size = size;
}

static void put(struct image *image, const unsigned char *bytes, int count, sqlite3_int64 offset) {
    if (offset + count > image->size) resize(image, offset + count);
    memcpy(image->bytes + offset, bytes, (size_t)count);
}

struct disk_file *disk_find(const char *path) {
    if (!recorded[0] || strncmp(path, recorded, strlen(recorded)) || strlen(path) >= sizeof files[0].path) return 0;
    for (int i = 0; i < FILES; i++) {
        struct disk_file *file = &files[i];
        if (!file->path[0]) {
            strcpy(file->path, path);
            file->last = &file->first;
        }
        if (!strcmp(file->path, path)) return file;
    }
    return 0;
}

static void note(struct disk_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    size_t length = count > 0 ? (size_t)count : 0;
    struct change *change = malloc(sizeof *change + length);
    if (!change) abort();
    change->next = 0;
    change->offset = offset;
    change->count = count;
    if (length) memcpy(change->bytes, bytes, length);
    *file->last = change;
    file->last = &change->next;
}

void disk_write(struct disk_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    note(file, bytes, count, offset);
}

void disk_truncate(struct disk_file *file, sqlite3_int64 size) { note(file, 0, -1, size); }

static void forget(struct disk_file *file) {
    for (struct change *change = file->first; change;) {
        struct change *next = change->next;
        free(change);
        change = next;
    }
    file->first = 0;
    file->last = &file->first;
}

void disk_sync(struct disk_file *file) {
    for (struct change *change = file->first; change; change = change->next) {
        if (change->count < 0) resize(&file->synced, change->offset);
        else put(&file->synced, change->bytes, change->count, change->offset);
    }
    forget(file);
}

void disk_delete(const char *path) {
    for (int i = 0; i < FILES && files[i].path[0]; i++) {
        if (strcmp(files[i].path, path)) continue;
        forget(&files[i]);
        resize(&files[i].synced, 0);
    }
}

static unsigned long long state;

static unsigned random_bits(void) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33);
}

int store_faults_cut(const char *folder, unsigned long long seed) {
    int written = 0;
    state = seed;
    for (int i = 0; i < FILES && files[i].path[0]; i++) {
        struct disk_file *file = &files[i];
        struct image image = {0};
        resize(&image, file->synced.size);
        if (image.size) memcpy(image.bytes, file->synced.bytes, (size_t)image.size);
        // A disk may keep any of the unsynced sectors: sometimes nearly all, sometimes nearly none.
        unsigned share = random_bits() % 101;
        for (struct change *change = file->first; change; change = change->next) {
            if (change->count < 0) {
                if (random_bits() % 100 < share) resize(&image, change->offset);
                continue;
            }
            for (int from = 0; from < change->count;) {
                int count = SECTOR - (int)((change->offset + from) % SECTOR);
                if (count > change->count - from) count = change->count - from;
                if (random_bits() % 100 < share) put(&image, change->bytes + from, count, change->offset + from);
                from += count;
            }
        }
        const char *name = strrchr(file->path, '/');
        char path[2048];
        snprintf(path, sizeof path, "%s%s", folder, name ? name : "/lost");
        FILE *copy = fopen(path, "wb");
        if (!copy) return -1;
        size_t count = fwrite(image.bytes, 1, (size_t)image.size, copy);
        if (fclose(copy) || count != (size_t)image.size) return -1;
        free(image.bytes);
        written++;
    }
    return written;
}
