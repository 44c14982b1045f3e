import Foundation
import TestSupport
import Testing

/// `make run` with a package manager that only notes what it is asked to do.
@Suite("make run")
struct MakeRunTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: packageFolder.appendingPathComponent("Makefile"),
      to: folder.url.appendingPathComponent("Makefile"))
    for file in [
      "Package.swift", "Sources/Shell/Lines/Line.swift", "Sources/Shell/Lines/Word.swift",
      "Plugins/Packages/List.swift", "Plugins/Dialogs/Confirm.swift", "Plugins/Notes/Note.swift",
    ] { try folder.write(file, "// first\n") }
    let swift = try folder.write(
      "tools/swift",
      #"""
      #!/bin/bash
      echo "$*" >> asked
      [ ! -e broken ] || exit 1
      case $* in
        "package resolve") echo resolved > Package.resolved ;;
        *)
          mkdir -p .build/debug
          for name in libAppCore.so libPackages.so libDialogs.so; do : > .build/debug/$name; done
          printf '#!/bin/sh\necho "$*"\n' > .build/debug/appcore
          chmod +x .build/debug/appcore ;;
      esac

      """#)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: swift.path)
  }

  /// Changes the tree by a command, runs `make run`, and returns what the package manager was asked.
  private func run(after change: String = "true", status: Int32 = 0) async throws -> [String] {
    // What `make test` was given is for that alone.
    let result = try await Program.run(
      "/usr/bin/env",
      [
        "-u", "MAKEFLAGS", "-u", "MAKEOVERRIDES", "-u", "CONFIGURATION", "/bin/bash", "-c",
        "rm -f asked; { \(change); } && make -s run SWIFT=tools/swift",
      ],
      folder: folder.url)
    #expect(result.status == status, "\(result.output)\(result.errors)")
    if status == 0 { #expect(result.output == "run manifests/packages.yaml\n") }
    let asked = try? String(contentsOf: folder.url.appending(path: "asked"), encoding: .utf8)
    return asked?.split(separator: "\n").map(String.init) ?? []
  }

  private static let builds = ["appcore", "Packages", "Dialogs"].map {
    "build -c debug --product \($0)"
  }

  @Test("The first time it builds the program and its plugins, the second time nothing")
  func twice() async throws {
    #expect(try await run() == ["package resolve"] + Self.builds)
    #expect(try await run() == [])
  }

  @Test(
    "Whatever changes of what they are made of, they are built again, once",
    arguments: [
      "echo // >> Plugins/Packages/List.swift",
      "echo // >> Package.swift",
      "echo >> Package.resolved",
      "echo // > Sources/Shell/Lines/New.swift",
      "mkdir Sources/Shell/Words && mv Sources/Shell/Lines/Word.swift Sources/Shell/Words",
      "rm Sources/Shell/Lines/Word.swift",
      "rm -r Sources/Shell/Lines",
      // An older file in the place of another, and one that only has an older time.
      "touch -d 2001-01-01 old && mv old Sources/Shell/Lines/Line.swift",
      "echo // > Sources/Shell/Lines/Line.swift && touch -d 2001-01-01 Sources/Shell/Lines/Line.swift",
      "rm .build/debug/libDialogs.so",
      "echo '#' >> tools/swift",
    ])
  func changed(_ change: String) async throws {
    _ = try await run()
    #expect(try await run(after: change) == Self.builds)
    #expect(try await run() == [])
  }

  @Test("A change of another plugin builds nothing")
  func elsewhere() async throws {
    _ = try await run()
    #expect(try await run(after: "echo // >> Plugins/Notes/Note.swift") == [])
  }

  @Test("After a build that failed it builds again")
  func failed() async throws {
    _ = try await run()
    #expect(
      try await run(after: "touch broken; echo // >> Package.swift", status: 2)
        == [Self.builds[0]])
    #expect(try await run(after: "rm broken") == Self.builds)
  }

  @Test("A source that changes during the build is built the next time")
  func meanwhile() async throws {
    _ = try await run()
    let change = "echo 'echo // >> Plugins/Dialogs/Confirm.swift' >> tools/swift"
    #expect(try await run(after: change) == Self.builds)
    #expect(try await run() == Self.builds)
  }
}
