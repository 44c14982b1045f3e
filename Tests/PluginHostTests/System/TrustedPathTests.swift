import Foundation
internal import Support
import Testing

@testable import PluginHost

/// Paths on which another user could replace a folder.
///
/// Only root can give a folder to another user, so those tests run only as root.
@Suite("Folders that are this user's alone")
struct TrustedPathTests {
  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  func violation(_ path: String) -> String? {
    do throws(TrustedPath.Failure) {
      _ = try TrustedPath.open(workshop.path(path), isCreating: true)
      return nil
    } catch {
      guard case .violated(let violation) = error else { return "\(error)" }
      return violation.message.replacing(workshop.folder, with: "$DIR")
        .replacing(#/other users can change '(.*)', which /#) { "\($0.1) " }
    }
  }

  func makeFolder(_ path: String, mode: mode_t) throws {
    try workshop.makeFolder(path)
    #expect(chmod(workshop.path(path), mode) == 0)
  }

  @Test("A folder that is missing is made for this user alone")
  func creates() throws {
    #expect(violation("a/b/c") == nil)
    var status = stat()
    #expect(stat(workshop.path("a/b"), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o700)
  }

  @Test("A step that everybody can write to, anywhere on the way, is not taken")
  func writableStep() throws {
    try makeFolder("open/inner/cache", mode: 0o700)
    #expect(violation("open/inner/cache") == nil)
    #expect(chmod(workshop.path("open"), 0o777) == 0)
    #expect(violation("open/inner/cache") == "$DIR/open is writable for everybody (mode 0777)")
    // The sticky bit: only the owner of an entry can remove it.
    #expect(chmod(workshop.path("open"), 0o1777) == 0)
    #expect(violation("open/inner/cache") == nil)
  }

  @Test("A step of another user's is not taken", .enabled(if: geteuid() == 0))
  func otherOwner() throws {
    try makeFolder("shared", mode: 0o1777)
    try makeFolder("shared/appcore", mode: 0o755)
    try makeFolder("shared/appcore/plugins", mode: 0o700)
    #expect(violation("shared/appcore/plugins") == nil)
    #expect(chown(workshop.path("shared/appcore"), 65534, 65534) == 0)
    #expect(violation("shared/appcore/plugins") == "$DIR/shared/appcore belongs to the user 65534")
    // The loader then puts its copy in another folder.
    let loader = PluginLoader(
      environment: ["XDG_CACHE_HOME": workshop.path("shared"), "TMPDIR": workshop.folder])
    let plugin = try loader.load(try loader.open(path: try workshop.plugin("Shared")))
    #expect(plugin.copyPath.hasPrefix(workshop.path("appcore-plugins-")))
  }

  @Test("A link is followed by what it says, and each step of its target is looked at")
  func links() throws {
    try makeFolder("real/inner", mode: 0o700)
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: workshop.path("relative"), withDestinationPath: "real/../real/inner")
    try manager.createSymbolicLink(
      atPath: workshop.path("absolute"), withDestinationPath: workshop.path("real"))
    try manager.createSymbolicLink(atPath: workshop.path("loop"), withDestinationPath: "loop")
    #expect(violation("relative") == nil)
    #expect(violation("absolute/inner") == nil)
    #expect(violation("loop") == "system(error: \(ELOOP))")
    #expect(chmod(workshop.path("real"), 0o777) == 0)
    #expect(violation("relative") == "$DIR/real is writable for everybody (mode 0777)")
    #expect(violation("absolute/inner") == "$DIR/real is writable for everybody (mode 0777)")
    if geteuid() == 0 {
      #expect(chmod(workshop.path("real"), 0o755) == 0)
      #expect(lchown(workshop.path("absolute"), 65534, 65534) == 0)
      #expect(violation("absolute/inner") == "$DIR/absolute belongs to the user 65534")
    }
  }

  @Test("A file in a folder's place is not used as one")
  func file() throws {
    try workshop.write("x", to: "file")
    #expect(violation("file/inner") == "system(error: \(ENOTDIR))")
  }
}
