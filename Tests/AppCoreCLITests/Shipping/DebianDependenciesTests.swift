import PluginHost
import Support
import Testing

@testable import AppCoreCLI

@Suite("The packages of libraries")
struct DebianDependenciesTests {
  @Test("A diverted file belongs to the package that has it, and not to the diversion")
  func diversions() {
    #expect(DebianPackage.package(in: "libc6:amd64: /usr/lib/libc.so.6\n") == "libc6")
    #expect(DebianPackage.package(in: "libx1, libx1-old: /usr/lib/libx.so.1\n") == "libx1")
    for who in ["diversion by usrmerge", "local diversion"] {
      #expect(
        DebianPackage.package(
          in: """
            \(who) from: /lib/libx.so.1
            \(who) to: /lib/libx.so.1.old
            libx1:amd64: /lib/libx.so.1

            """) == "libx1")
      #expect(DebianPackage.package(in: "\(who) from: /lib/libx.so.1\n") == nil)
    }
  }

  @Test("The C and C++ libraries need no dpkg, and a library that no package has is refused")
  func known() throws {
    let environment = ["PATH": "/nowhere"]
    #expect(
      try DebianPackage.packages(
        of: ["libm.so.6": ["GLIBC_2.29"], "libc.so.6": ["GLIBC_2.34"], "libgcc_s.so.1": []],
        environment: environment) == ["libc6 (>= 2.34)", "libgcc-s1"])
    let error = #expect(throws: BundleError.self) {
      try DebianPackage.packages(of: ["libNowhere.so.1": []], environment: environment)
    }
    #expect(error?.cause.code == "bundle-no-package")
    #expect(error?.path == "libNowhere.so.1")
  }

  @Test("An error of a lock has the exit status that it has for the commands of locks")
  func statuses() {
    #expect(BundleError("app.yaml", Rejection(.lockNoVerifier, "no")).exitStatus == 69)
    #expect(BundleError("app.yaml", Rejection(.lockNotWritten, "no")).exitStatus == 74)
  }
}
