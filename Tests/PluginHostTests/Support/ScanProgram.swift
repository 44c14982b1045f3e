import Foundation

@testable import PluginHost

/// A scanning program in C, for plugins in C: it sends the text that a plugin's entry returns.
enum ScanProgram {
  /// The form of its answers.
  static let form = "text"

  /// The program, compiled once for all tests of this process.
  static let path: String = {
    let folder = NSTemporaryDirectory() + "appcore-tests-scanner-" + UUID().uuidString
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    try? source.write(toFile: folder + "/scanner.c", atomically: true, encoding: .utf8)
    let path = folder + "/scanner"
    do {
      // Plugins ask for the contract's symbol, which only a host has.
      try Workshop.run(
        "cc", ["-O1", "-o", path, folder + "/scanner.c", "-ldl", "-rdynamic"])
    } catch {
      fatalError("\(error)")
    }
    return path
  }()

  private static let source = """
    #include <dlfcn.h>
    #include <stdint.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <unistd.h>

    int \(Workshop.contractSymbol)(void) { return 1; }

    static unsigned char out[70000]; static size_t used;
    static void byte(int b) { out[used++] = b; }
    static void number(uint64_t n) { while (n >= 128) { byte(n & 127 | 128); n >>= 7; } byte(n); }
    static void text(const char *t) { size_t n = strlen(t); number(n); memcpy(out + used, t, n); used += n; }
    static void refuse(const char *code, const char *message, const char *remedy) { byte(4); text(code); text(message); number(0); text(remedy); }
    static void flush(void) { if (write(3, out, used) != (ssize_t)used) _exit(1); used = 0; }
    static unsigned char request[1 << 20], *in = request;
    static uint64_t take(void) { uint64_t n = 0; int s = 0; do { n |= (uint64_t)(*in & 127) << s; s += 7; } while (*in++ & 128); return n; }
    static char *string(void) { size_t n = take(); char *s = malloc(n + 1); memcpy(s, in, n); s[n] = 0; in += n; return s; }

    int main(void) {
      const char *runs = getenv("RUNS");
      if (runs) { FILE *f = fopen(runs, "a"); fputs("run\\n", f); fclose(f); }
      size_t size = 0; ssize_t got;
      while ((got = read(0, request + size, sizeof request - size)) > 0) size += got;
      dprintf(3, "appcore-scan %s\\n", getenv("FORM") ? getenv("FORM") : "\(form)");
      take(); char *name = string(); string(); in += 40 + 8;
      char *copy = string();
      byte(1); flush();
      void *handle = dlopen(copy, RTLD_NOW | RTLD_LOCAL);
      if (!handle) { refuse("plugin-loader", strstr(dlerror(), "undefined"), "rebuild it"); flush(); for (;;) pause(); }
      char symbol[200]; snprintf(symbol, sizeof symbol, "appcore_plugin_%s", name);
      char *(*entry)(void) = (char *(*)(void))dlsym(handle, symbol);
      byte(2); flush();
      char *answer = entry();
      if (!answer) { refuse("plugin-registration", "it returned nothing", "correct it"); } else { byte(3); text(answer); }
      flush();
      for (;;) pause();
    }
    """
}
