import Foundation
internal import Support
import Testing

@testable import PluginHost

/// What plugins do to the process that loads them first, each compiled for real.
@Suite("Scanning")
struct PluginScannerTests {
  var bench: ScanBench

  init() throws { bench = try ScanBench() }

  /// Fifty plugins, with what is wrong with some of them.
  private func fifty(_ wrong: [Int: String]) throws -> [String] {
    // One compilation: the others are told apart by their bytes after the end.
    let good = try bench.workshop.read(try bench.workshop.plugin("Fine", answer: "fine"))
    return try (0..<50).map { index in
      if let statements = wrong[index] {
        return try bench.plugin("Wrong\(index)", initializer: statements)
      }
      let name = "plugins/\(index).so"
      return try bench.workshop.write(good + Array("\(index)".utf8), to: name)
    }
  }

  @Test("Each plugin has a process of its own")
  func ownProcesses() throws {
    #expect(try bench.scan(try fifty([:])) == Array(repeating: "fine", count: 50))
    #expect(bench.runs == 50)
  }

  @Test("Each plugin that ends the process is named with what it did, and no other")
  mutating func several() throws {
    bench.limit = { ($0.time, $0.output, $0.data) = (.seconds(2), 200_000, 256 << 20) }
    let wrong = [
      3: "fputs(\"a word\\n\", stderr); abort();",
      4: "__builtin_trap();",
      17: "_exit(7);",
      18: "exit(0);",
      30: "for (;;) puts(\"over and over\");",
      31: "for (;;) { void *p = malloc(8 << 20); if (!p) abort(); memset(p, 1, 8 << 20); }",
      49: "puts(\"waits\"); for (;;) pause();",
    ]
    let results = try bench.scan(try fifty(wrong))
    for (index, result) in results.enumerated() where wrong[index] == nil {
      #expect(result == "fine", "\(index)")
    }
    func line(_ index: Int) -> Substring {
      results[index].split(separator: "\n").first ?? ""
    }
    func lead(_ index: Int) -> String { "$DIR/libWrong\(index).so: error: plugin not scanned: " }
    let ended = "it ended the scanning process with"
    #expect(
      results[3] == """
        \(lead(3))\(ended) signal 6 (SIGABRT, aborted) while it was loaded [scan-crashed]
          stderr: a word
          help: fix the plugin; it is in quarantine until its file, a library that it brings along or \
        the SDK changes, and `--rescan` tries it again at once
        """)
    #expect(
      line(4)
        == "\(lead(4))\(ended) signal 4 (SIGILL, illegal instruction) while it was loaded "
        + "[scan-crashed]")
    #expect(line(17) == "\(lead(17))\(ended) status 7 while it was loaded [scan-failed]")
    #expect(line(18) == "\(lead(18))\(ended) status 0 while it was loaded [scan-failed]")
    #expect(
      line(30) == "\(lead(30))it wrote more than 200000 bytes while it was loaded [scan-flood]")
    #expect(
      line(31) == "\(lead(31))\(ended) signal 6 (SIGABRT, aborted) while it was loaded "
        + "[scan-crashed]")
    #expect(
      results[49] == """
        \(lead(49))it took more than 2 s while it was loaded [scan-timeout]
          help: fix the plugin: when it is loaded, it must only name its features; `--rescan` \
        tries it again, if the machine was merely busy
        """)
    // All of it is known the next time, and no process is needed.
    let count = bench.runs
    #expect(try bench.scan(try fifty(wrong)) == results)
    #expect(bench.runs == count)
  }

  @Test("A plugin that is refused memory and continues without is reported, not left to the host")
  mutating func tolerantHog() throws {
    bench.limit = { $0.data = 256 << 20 }
    let path = try bench.plugin(
      "Hog",
      initializer: "void *p; while ((p = malloc(1 << 20))) memset(p, 1, 1 << 20);")
    let good = try bench.workshop.plugin("Modest", answer: "modest")
    let results = try bench.scan([good, path, good])
    #expect(results[0] == "modest" && results[2] == "modest")
    #expect(
      results[1].replacing(/took [0-9]+ MiB/, with: "took N MiB") == """
        $DIR/libHog.so: error: plugin not scanned: it took N MiB of memory while it was asked for \
        its features, where 256 MiB is the limit [scan-memory]
          help: allocate memory when a feature needs it, not when the plugin is loaded; `--rescan` \
        tries it again
        """)
    let count = bench.runs
    #expect(try bench.scan([path]) == [results[1]])
    #expect(bench.runs == count)
  }

  @Test("A failure of the entry is distinguished from one of loading")
  func entry() throws {
    let path = try bench.workshop.library(
      "libAsked.so",
      """
      #include <stdlib.h>
      extern int \(Workshop.contractSymbol)(void);
      void *appcore_plugin_Asked(void) { if (\(Workshop.contractSymbol)()) abort(); return 0; }
      """)
    #expect(
      try bench.scan([path])[0].contains(
        "with signal 6 (SIGABRT, aborted) while it was asked for its features [scan-crashed]"))
  }

  @Test("A thread that a plugin leaves behind ends no other plugin's scan")
  func leftThread() throws {
    // The thread waits for the second plugin to be loaded, so it can't be too early or too late.
    let mark = bench.workshop.path("second")
    let path = try bench.workshop.plugin(
      "Leaver", answer: "left",
      more: """
        #include <pthread.h>
        #include <stdlib.h>
        #include <unistd.h>
        static void *later(void *nothing) {
          while (access("\(mark)", F_OK) != 0) usleep(1000);
          kill(0, SIGABRT);
          return 0;
        }
        __attribute__((constructor)) static void start(void) {
          pthread_t thread;
          pthread_create(&thread, 0, later, 0);
        }
        """.replacing("#include <stdlib.h>", with: "#include <signal.h>"))
    let second = try bench.plugin(
      "Bystander", initializer: "fclose(fopen(\"\(mark)\", \"w\")); usleep(50000);",
      answer: "innocent")
    let first = try PluginScan(of: bench.prepared(path), bench.process, form: bench.form)
    var result: ScanResult?
    while result == nil {
      result = first.advance()
      usleep(1000)
    }
    #expect(result == .answer(Array("left".utf8)))
    // The first process still runs, and with it the thread.
    #expect(try withExtendedLifetime(first) { try bench.scan([second]) } == ["innocent"])
    #expect(bench.runs == 2)
  }

  @Test("A plugin's output comes before its answer, and does not mix with it")
  func printing() throws {
    let path = try bench.plugin(
      "Talker", initializer: "puts(\"I am here\"); fputs(\"and here\\n\", stderr);", answer: "it")
    #expect(try bench.scan([path]) == ["it"])
  }

  @Test("A plugin that returns nothing is refused in the host's words")
  func nothing() throws {
    let path = try bench.workshop.library(
      "libNil.so",
      """
      extern int \(Workshop.contractSymbol)(void);
      void *appcore_plugin_Nil(void) { return \(Workshop.contractSymbol)() ? 0 : "x"; }
      """)
    for _ in 0..<2 {
      #expect(
        try bench.scan([path]) == [
          """
          $DIR/libNil.so: error: plugin not registered: it returned nothing [plugin-registration]
            help: correct it
          """
        ])
    }
    #expect(bench.runs == 1)
  }

  @Test("A loader's refusal in the scan is reported as it was sent, and scanned again")
  func notLoaded() throws {
    let path = try bench.workshop.plugin(
      "Dangling", more: "extern int nowhere(void); int use(void) { return nowhere(); }")
    for _ in 0..<2 {
      #expect(
        try bench.scan([path]) == [
          """
          $DIR/libDangling.so: error: plugin not loaded: undefined symbol: nowhere [plugin-loader]
            help: rebuild it
          """
        ])
    }
    #expect(bench.runs == 2)
  }

  @Test("Processes that a plugin starts end with the scan")
  mutating func grandchildren() throws {
    bench.limit = { $0.time = .seconds(1) }
    let mark = bench.workshop.path("pid")
    let path = try bench.plugin(
      "Parent",
      initializer: """
        if (fork() == 0) {
          signal(SIGTERM, SIG_IGN); signal(SIGHUP, SIG_IGN);
          FILE *f = fopen("\(mark).part", "w"); fprintf(f, "%d", getpid()); fclose(f);
          rename("\(mark).part", "\(mark)");
          for (;;) pause();
        }
        while (access("\(mark)", F_OK) != 0) usleep(1000);
        """, answer: "parent")
    #expect(try bench.scan([path]) == ["parent"])
    let text = try String(contentsOfFile: mark, encoding: .utf8)
    let id = try #require(pid_t(text))
    // It is killed at once, and gone when its new parent has reaped it.
    for _ in 0..<3000 where kill(id, 0) == 0 && !isZombie(id) { usleep(10_000) }
    #expect(kill(id, 0) != 0 || isZombie(id))
  }

  @Test("A process whose host has ended before it is confined ends, whoever is its parent now")
  func orphan() async {
    await #expect(processExitsWith: .success) {
      // What is killed with it is this process alone, should it continue.
      setpgid(0, 0)
      var channel: [Int32] = [0, 0]
      pipe(&channel)
      // No process has a number as high as this.
      ScanConfinement.begin(host: 1 << 22, channel: channel[1])
      exit(EXIT_FAILURE)
    }
  }

  private func isZombie(_ id: pid_t) -> Bool {
    let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
    return text?.contains(") Z") ?? true
  }

  @Test("The process has nothing left to read, four descriptors, and a process group of its own")
  func surroundings() throws {
    let open = open("/dev/zero", O_RDONLY)
    defer { close(open) }
    let path = try bench.plugin(
      "Looker",
      initializer: """
        if (getchar() != EOF || getpgrp() != getpid()) abort();
        for (int d = 4; d < 1000; d++) if (dup(d) != -1) _exit(d);
        """, answer: "alone")
    #expect(try bench.scan([path]) == ["alone"])
  }

  @Test("A program that can't be started, does not scan, or speaks another form")
  mutating func unfit() throws {
    let path = try bench.workshop.plugin("Waiting")
    let help = "  help: check the installation of appcore, and `APPCORE_SCANNER` if that is set"
    bench.program = bench.workshop.path("none")
    #expect(
      try bench.scan([path, path])[1] == """
        $DIR/libWaiting.so: error: plugin not scanned: '$DIR/none' can't be started: no such file \
        or directory [scan-not-started]
        \(help)
        """)
    for (error, limit) in [(EAGAIN, "-u"), (ENOMEM, "-v"), (EMFILE, "-n"), (ENFILE, "-n")] {
      let problem = PluginError(
        .scanned, path: path, PluginScan.notStarted("scanner", error))
      #expect(problem.description.contains("(`ulimit \(limit)`)"), "\(problem)")
      #expect(!problem.description.contains("installation"))
    }
    bench.program = "/bin/sh"
    bench.arguments = ["-c", "echo no >&2; exit 3"]
    #expect(
      try bench.scan([path, path])[1] == """
        $DIR/libWaiting.so: error: plugin not scanned: '/bin/sh' does not scan plugins: it ended \
        with status 3 before it began [scan-not-started]
          stderr: no
        \(help)
        """)
    bench.program = ScanProgram.path
    bench.variables = ["FORM": "older"]
    #expect(
      try bench.scan([path])[0] == """
        $DIR/libWaiting.so: error: plugin not scanned: '\(ScanProgram.path)' does not scan \
        plugins: it speaks the form 'older' instead of 'text' [scan-not-started]
        \(help)
        """)
    // None of it is the plugin's doing, so nothing is kept.
    bench.variables = [:]
    #expect(try bench.scan([path]) == ["hello"])
  }

  @Test("A program that sends nonsense")
  mutating func nonsense() throws {
    let path = try bench.workshop.plugin("Waiting")
    bench.program = "/bin/sh"
    bench.arguments = ["-c", "printf '\\377\\377\\377\\377\\377\\377' >&3; sleep 60"]
    #expect(
      try bench.scan([path]) == [
        """
        $DIR/libWaiting.so: error: plugin not scanned: what it sent can't be understood: it does \
        not begin with 'appcore-scan ' [scan-output]
          help: build the plugin again; if that does not help, this is a bug in appcore
        """
      ])
  }

  @Test("An answer that arrives together with the first line, however long it is")
  mutating func together() throws {
    let path = try bench.workshop.plugin("Waiting")
    var message = Array("\(ScanMessage.head)\(bench.form)\n".utf8)
    message += ScanMessage.description(Array(repeating: 0x61, count: 40_000)).bytes
    try Data(message).write(to: URL(filePath: bench.workshop.path("answer")))
    bench.program = "/bin/sh"
    bench.arguments = ["-c", "cat '\(bench.workshop.path("answer"))' >&3; sleep 60"]
    #expect(try bench.scan([path], caching: false) == [String(repeating: "a", count: 40_000)])
  }

  @Test(
    "What fails after an outline leaves it as the answer",
    arguments: [
      "exit 3", "kill -ILL $$", "sleep 60", "printf '\\377' >&3; sleep 60", "yes",
      "head -c 20000000 /dev/zero | tr '\\0' '\\001' >&3; sleep 60",
    ])
  mutating func outline(failure: String) throws {
    bench.limit = { ($0.time, $0.output) = (.seconds(1), 100_000) }
    let path = try bench.workshop.plugin("Waiting")
    func scan(memory: UInt64) throws -> [String] {
      var message = Array("\(ScanMessage.head)\(bench.form)\n".utf8)
      message += ScanMessage.asking.bytes
      message += ScanMessage.outline(Array("an outline".utf8), memory: memory).bytes
      try Data(message).write(to: URL(filePath: bench.workshop.path("answer")))
      bench.program = "/bin/sh"
      bench.arguments = ["-c", "cat '\(bench.workshop.path("answer"))' >&3; \(failure)"]
      return try bench.scan([path], caching: false)
    }
    #expect(try scan(memory: 1 << 20) == ["an outline"])
    #expect(try scan(memory: 1 << 30)[0].contains("[scan-memory]"))
  }

  @Test("Scans leave neither processes nor descriptors behind")
  func leavesNothing() throws {
    func descriptors() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
    let path = try bench.workshop.plugin("Often")
    let before = try descriptors()
    for _ in 0..<60 { _ = try bench.scan([path], caching: false) }
    // Other tests run meanwhile and have descriptors of their own, but not as many.
    #expect(try descriptors() < before + 60)
    let children = try String(
      contentsOfFile: "/proc/self/task/\(getpid())/children", encoding: .utf8)
    for child in children.split(separator: " ") {
      let status = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
      #expect(status?.contains("(scanner) Z") != true)
    }
  }
}
