import Foundation
import Testing

@testable import PluginHost

@Suite("ScanProcess")
struct ScanProcessTests {
  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  func shell(_ script: String, _ limits: ScanLimits = ScanLimits()) -> ScanProcess {
    ScanProcess(
      executable: "/bin/sh", arguments: ["-c", script], environment: ["PATH": "/usr/bin:/bin"],
      limits: limits)
  }

  func output(_ script: String) throws -> String {
    String(decoding: try shell(script).run(scanning: "libX.so"), as: UTF8.self)
  }

  func refusal(_ process: ScanProcess) throws -> String {
    workshop.text(
      try workshop.problem { try process.run(scanning: "libX.so") })
  }

  @Test("What the child writes to standard output is the answer, and all of it")
  func answers() throws {
    #expect(try output("echo answer; echo noise >&2") == "answer\n")
    let bytes = try shell("head -c 1000000 /dev/zero").run(scanning: "libX.so")
    #expect(bytes.count == 1_000_000)
  }

  @Test("The child has nothing to read, three descriptors, and a process group of its own")
  func surroundings() throws {
    #expect(try output("cat; echo end") == "end\n")
    let open = open("/dev/zero", O_RDONLY)
    defer { close(open) }
    // The fourth is the folder that `ls` reads.
    #expect(try output("ls /proc/self/fd") == "0\n1\n2\n3\n")
    #expect(
      try output(
        "test $(ps -o pgid= -p $$ 2>/dev/null || cut -d' ' -f5 /proc/$$/stat) = $$ && echo own")
        == "own\n")
    #expect(try output("sleep 0.2; ulimit -c") == "0\n")
  }

  @Test("A child that ends with a status: the status and the last it said")
  func status() throws {
    #expect(
      try refusal(shell("for i in 1 2 3 4 5 6 7; do echo line $i >&2; done; exit 3")) == """
        libX.so: error: plugin not scanned: the scanning process ended with status 3 [scan-failed]
          stderr: line 3
          stderr: line 4
          stderr: line 5
          stderr: line 6
          stderr: line 7
          help: mend the plugin: this happened when it was loaded or asked for its features
        """)
  }

  @Test("A child that a signal ends")
  func signal() throws {
    #expect(
      try refusal(shell("printf 'Fatal error: \\033[31mred' >&2; kill -SEGV $$")) == """
        libX.so: error: plugin not scanned: it ended the scanning process with signal 11 \
        (SIGSEGV, invalid memory access) [scan-crashed]
          stderr: Fatal error: ␛[31mred
          help: mend the plugin: this happened when it was loaded or asked for its features
        """)
  }

  @Test("A child that hangs is killed, and so are its children")
  func timeout() throws {
    let file = workshop.path("grandchild")
    let script = "sleep 1000 & echo $! > '\(file)'; echo waiting >&2; sleep 1000"
    #expect(
      try refusal(shell(script, ScanLimits(time: .seconds(4)))) == """
        libX.so: error: plugin not scanned: it did not answer within 4 s [scan-timeout]
          stderr: waiting
          help: mend the plugin: it must do nothing when it is loaded, and only name its features \
        then
        """)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let grandchild = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    try #require(grandchild > 1)
    // What a signal has ended is there until it is waited for, as a zombie.
    var patience = 3_000
    while isRunning(grandchild), patience > 0 {
      patience -= 1
      usleep(10_000)
    }
    #expect(!isRunning(grandchild))
  }

  private func isRunning(_ process: pid_t) -> Bool {
    let file = "/proc/\(process)/status"
    guard let status = try? String(contentsOfFile: file, encoding: .utf8) else { return false }
    return !status.contains("State:\tZ") && !status.contains("State:\tX")
  }

  @Test("A child that closes its outputs and hangs is killed too")
  func silentHang() throws {
    let limits = ScanLimits(time: .seconds(1))
    #expect(try refusal(shell("exec >&- 2>&-; sleep 100", limits)).contains("within 1 s"))
  }

  @Test("A child that ignores every signal it can is killed too")
  func stubborn() throws {
    let limits = ScanLimits(time: .milliseconds(300))
    #expect(
      try refusal(shell("trap '' TERM INT HUP; while :; do sleep 1; done", limits))
        .contains("within 300 ms"))
  }

  @Test("A grandchild that holds the outputs open does not delay the answer")
  func grandchild() throws {
    #expect(try output("sleep 100 & echo done") == "done\n")
  }

  @Test("A child that writes without end is stopped")
  func flood() throws {
    #expect(
      try refusal(shell("yes", ScanLimits(output: 100_000))) == """
        libX.so: error: plugin not scanned: it wrote more than 100000 bytes [scan-flood]
          help: mend the plugin: it must not write to standard output when it is loaded
        """)
    // Of standard error the end is kept, and no limit ends the scan.
    let problem = try workshop.problem {
      try shell("head -c 3000000 /dev/zero >&2; echo last >&2; exit 1").run(scanning: "libX.so")
    }
    guard case .scanStatus(1, let tail) = problem.cause else {
      Issue.record("\(problem)")
      return
    }
    #expect(tail.utf8.count == 4096)
    #expect(tail.hasSuffix("last\n"))
  }

  @Test("Processor time and address space have limits")
  func resources() throws {
    let busy = ScanLimits(time: .seconds(300), processorSeconds: 1)
    #expect(
      try refusal(shell("while :; do :; done", busy)).contains("(SIGKILL, killed)"))
    let small = ScanLimits(addressSpace: 64 << 20)
    let bytes = try shell("sleep 0.2; ulimit -v", small).run(scanning: "libX.so")
    #expect(String(decoding: bytes, as: UTF8.self) == "65536\n")
  }

  @Test("A program that can't be started")
  func notStarted() throws {
    let process = ScanProcess(
      executable: workshop.path("none"), arguments: [], environment: [:])
    #expect(
      try refusal(process) == """
        libX.so: error: plugin not scanned: '$DIR/none' can't be started: no such file or \
        directory [scan-not-started]
          help: check the installation of appcore
        """)
  }

  @Test("An answer that can't be understood")
  func unintelligible() {
    let problem = PluginProblem(.scanned, path: "libX.so", .scanOutput("no JSON at byte 7"))
    #expect(
      problem.description == """
        libX.so: error: plugin not scanned: its answer can't be understood: no JSON at byte 7 \
        [scan-output]
          help: mend the plugin: it must not write to standard output when it is loaded
        """)
  }

  @Test("Scans leave neither processes nor descriptors behind")
  func leavesNothing() throws {
    func pipes() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
    let before = try pipes()
    for _ in 0..<60 { _ = try output("echo x") }
    // Other tests run meanwhile and have descriptors of their own, but not as many.
    #expect(try pipes() < before + 60)
    let children = try String(
      contentsOfFile: "/proc/self/task/\(getpid())/children", encoding: .utf8)
    for child in children.split(separator: " ") {
      let status = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
      #expect(status?.contains("(sh) Z") != true)
    }
  }

  @Test("A plugin that traps when it is loaded costs a message")
  func trap() throws {
    try workshop.write(
      """
      #include <dlfcn.h>
      #include <stdio.h>
      int main(int argc, char **argv) {
        if (!dlopen(argv[1], RTLD_NOW)) { fprintf(stderr, "%s\\n", dlerror()); return 1; }
        puts("loaded");
      }
      """, to: "opener.c")
    try Workshop.run("cc", ["-o", workshop.path("opener"), workshop.path("opener.c"), "-ldl"])
    func scan(_ body: String) throws -> ScanProcess {
      let library = try workshop.library(
        "libTrap.so",
        "#include <unistd.h>\n__attribute__((constructor)) void start(void) { \(body) }")
      return ScanProcess(
        executable: workshop.path("opener"), arguments: [library], environment: [:],
        limits: ScanLimits(time: .milliseconds(500)))
    }
    #expect(try scan(";").run(scanning: "libTrap.so") == Array("loaded\n".utf8))
    #expect(try refusal(try scan("__builtin_trap();")).contains("SIGILL"))
    #expect(try refusal(try scan("for (;;) pause();")).contains("within 500 ms"))
    #expect(try refusal(try scan("_exit(7);")).contains("status 7"))
  }
}
