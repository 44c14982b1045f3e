// Writes damaged copies of a file: damage FILE FOLDER SEED COUNT. The same seed, the same damage.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

static uint64_t number(uint64_t limit) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % limit;
}

int main(int count, char **arguments) {
  if (count != 5) return 64;
  FILE *file = fopen(arguments[1], "rb");
  if (!file) return 66;
  fseek(file, 0, SEEK_END);
  size_t size = ftell(file);
  rewind(file);
  unsigned char *bytes = malloc(size), *copy = malloc(size);
  if (fread(bytes, 1, size, file) != size) return 74;
  state = strtoull(arguments[3], 0, 10) * 0x9e3779b97f4a7c15u;
  for (int index = 0; index < atoi(arguments[4]); index++) {
    memcpy(copy, bytes, size);
    size_t length = size;
    // Most of the loader's tables are near the beginning.
    for (uint64_t change = 1 + number(8); change > 0; change--) {
      size_t place = number(number(3) ? (size < 8192 ? size : 8192) : size);
      switch (number(4)) {
        case 0: copy[place] ^= 1 << number(8); break;
        case 1: copy[place] = number(256); break;
        case 2: copy[place] = 0xff; break;
        default: memset(copy + place, number(256), number(8) < size - place ? 4 : 0);
      }
    }
    if (number(10) == 0) length = number(size);
    char path[4096];
    snprintf(path, sizeof path, "%s/%d.so", arguments[2], index);
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(copy, 1, length, out) != length || fclose(out)) return 74;
  }
  return 0;
}
