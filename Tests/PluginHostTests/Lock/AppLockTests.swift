import Support
import Testing

@testable import PluginHost

@Suite("AppLock")
struct AppLockTests {
  private let here = AppLock.Target(architecture: "x86_64", contract: "1_swift_6_3_1")
  private let there = AppLock.Target(architecture: "aarch64", contract: "1_swift_6_3_1")

  private func differences(_ change: (inout AppLock) -> Void) -> [String] {
    var found = sampleLock()
    change(&found)
    return sampleLock().differences(from: found, for: here).map {
      "\($0)".replacing(/[0-9a-f]{64}/) { "\($0.output.prefix(4))…" }
    }
  }

  @Test("An app that is as it was locked does not differ, whatever its builds for other machines")
  func same() {
    #expect(differences { _ in }.isEmpty)
    #expect(differences { $0.plugins["Notes"]?.builds[there] = nil } == [])
  }

  @Test("Each difference is named, with what was and what is")
  func differences() {
    #expect(
      differences { $0.app = "other" } == [
        "the app's name was my app, and is other [lock-app-changed]"
      ])
    #expect(
      differences { $0.version = nil } == [
        "the app's version was 1.4, and is gone [lock-app-changed]"
      ])
    #expect(
      differences { $0.files["app.yaml"] = digest("x") }
        == [
          "'app.yaml' was \(digest("m").description.prefix(4))…, and is \(digest("x").description.prefix(4))… [lock-manifest-changed]"
        ])
    #expect(
      differences { $0.files["parts/nodes.yaml"] = nil }
        == [
          "'parts/nodes.yaml' was \(digest("j").description.prefix(4))…, and is gone [lock-manifest-changed]"
        ])
    #expect(
      differences { $0.plugins["Dialogs"] = nil }
        == ["the lock has the plugin 'Dialogs', and the manifest does not [lock-plugin-gone]"])
    #expect(
      differences {
        $0.plugins["New"] = .init(version: "1", builds: [here: .init(file: digest())])
      }
        == ["the plugin 'New' is not in the lock [plugin-not-locked]"])
    #expect(
      differences { $0.plugins["Dialogs"]?.version = "2" }
        == ["the version of the plugin 'Dialogs' was 0.1, and is 2 [lock-app-changed]"])
    #expect(
      differences { $0.plugins["Notes"]?.path = nil }
        == ["the path of the plugin 'Notes' was lib/my notes, and is gone [lock-app-changed]"])
    #expect(
      differences { $0.plugins["Notes"]?.builds[here]?.libraries["libnew.so"] = digest("l") }
        == [
          "the library 'libnew.so' of 'Notes' is not in the lock; it is \(digest("l").description.prefix(4))… [plugin-modified]"
        ])
  }

  @Test("A build for another machine is added, and nothing else is changed")
  func adding() throws {
    var other = sampleLock()
    let third = AppLock.Target(architecture: "riscv64", contract: "1_swift_6_3_1")
    for name in other.plugins.keys {
      other.plugins[name]?.builds = [third: .init(file: digest("r"))]
    }
    let sum = sampleLock().adding(other).sum
    #expect(sum.plugins["Notes"]?.builds.count == 3)
    #expect(sum.plugins["Dialogs"]?.builds[here] == sampleLock().plugins["Dialogs"]?.builds[here])
    let lines = Set(sampleLock().lines)
    #expect(lines.isSubset(of: Set(sum.lines)))
    #expect(Set(sum.lines).subtracting(lines).count == 2)
    // Added again, it is the same.
    #expect(sum.adding(other).sum == sum)
  }

  @Test("What the two say differently is not added")
  func mismatch() throws {
    func codes(_ change: (inout AppLock) -> Void) -> [String] {
      var other = sampleLock()
      change(&other)
      return sampleLock().adding(other).contradictions.map(\.code)
    }
    #expect(codes { $0.version = "2" } == ["lock-app-changed"])
    #expect(codes { $0.files["app.yaml"] = digest("x") } == ["lock-manifest-changed"])
    #expect(
      codes { $0.plugins["Notes"]?.builds[here]?.file = digest("x") } == ["plugin-modified"])
    #expect(
      codes { $0.plugins["Notes"]?.builds[there]?.libraries["x.so"] = digest("x") } == [
        "plugin-modified"
      ])
    #expect(codes { $0.files["new.yaml"] = digest("x") } == [])
    #expect(codes { $0.plugins["Dialogs"] = nil } == [])
  }

  @Test("Texts that a line can't hold are found before they are written")
  func badText() {
    func bad(_ change: (inout AppLock) -> Void) -> String? {
      var lock = sampleLock()
      change(&lock)
      return lock.firstBadText
    }
    #expect(bad { _ in } == nil)
    #expect(bad { $0.app = "two\nlines" } == "two\nlines")
    #expect(bad { $0.version = "" } == "")
    #expect(bad { $0.plugins["Notes"]?.version = " 1" } == " 1")
    #expect(bad { $0.files["../x"] = digest() } == "../x")
    #expect(bad { $0.plugins["Notes"]?.path = "lib/../../x" } == "lib/../../x")
  }

  @Test("A folder of sources in the place of a locked file is refused, whatever its name")
  func folder() {
    let lock = LockEnforcement(sampleLock(), in: "apps/door", target: here)
    func isRefused(_ path: String, _ name: String) -> Bool {
      (try? lock.checkFolder(at: path, ofPlugin: name)) == nil
    }
    #expect(isRefused("apps/door/other", "Notes"))
    #expect(isRefused("apps/door/./lib/my notes", "Other"))
    #expect(!isRefused("apps/door/lib/other", "Other"))
    #expect(!isRefused("apps/lib/my notes", "Other"))
    var shared = sampleLock()
    for name in ["Zoo", "Maps", "Files"] { shared.plugins[name] = shared.plugins["Notes"] }
    shared.plugins["Atlas"] = .init(version: "1", isFolder: true, path: "lib/my notes")
    let several = LockEnforcement(shared, in: "apps/door", target: here)
    for (name, named) in [("Zoo", "Zoo"), ("Other", "Files"), ("Atlas", "Files")] {
      #expect {
        try several.checkFolder(at: "apps/door/lib/my notes", ofPlugin: name)
      } throws: {
        ($0 as? Rejection)?.message.contains("'\(named)' was a file") == true
      }
    }
  }

  @Test("A plugin is compared with its build for this machine, with what it brings along")
  func held() throws {
    func answers(
      _ name: String, _ digests: PluginDigests, at target: AppLock.Target
    ) -> [String] {
      [nil, LockRequirement.option].map {
        let lock = LockEnforcement(sampleLock(), in: ".", requirement: $0, target: target)
        do throws(Rejection) {
          let warning = try lock.check(name, digests)
          return warning.map { "unlocked: \($0.rule.code)" } ?? "same"
        } catch {
          return "refused: \(error.code)"
        }
      }
    }
    let digests = PluginDigests(file: digest("n"), libraries: ["libstore.so": digest("s")])
    let other = PluginDigests(file: digest("n"), libraries: ["libother.so": digest("s")])
    let bare = PluginDigests(file: digest("n"))
    let more = PluginDigests(file: digest("d"), libraries: ["x.so": digest("x")])
    #expect(answers("Notes", digests, at: here) == ["same", "same"])
    for (name, digests) in [("Notes", other), ("Notes", bare), ("Dialogs", more)] {
      #expect(
        answers(name, digests, at: here) == [
          "refused: plugin-modified", "refused: plugin-modified",
        ])
    }
    #expect(
      answers("Other", digests, at: here) == [
        "unlocked: plugin-unlocked", "refused: plugin-not-locked",
      ])
    #expect(
      answers("Dialogs", more, at: there) == [
        "unlocked: plugin-unlocked", "refused: plugin-not-locked-here",
      ])
  }
}
