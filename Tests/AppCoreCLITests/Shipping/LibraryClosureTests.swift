import Foundation
import Support
import TestSupport
import Testing

@testable import AppCoreCLI

@Suite("Libraries of a bundle")
struct LibraryClosureTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Compiles libraries in the folder by a shell script with the function `library FILE [OPTION…]`.
  private func compile(_ script: String) async throws {
    let made = try await Program.run(
      "/bin/bash",
      [
        "-c",
        """
        set -e
        library() {
          local file=$1 name=${1##*/}; shift
          mkdir -p "$(dirname "$file")"
          echo "const char *name_of_$(echo ${name%.so})(void) { return \\"$text\\"; }" > source.c
          cc -shared -fPIC -o "$file" source.c -Wl,-soname,$name -Wl,--enable-new-dtags \\
            -Wl,--no-as-needed "$@"
        }
        \(script)
        """,
      ], folder: folder.url, mergesErrors: true)
    try #require(made.status == 0, "\(made.output)")
  }

  /// An installed appcore without libraries of its own.
  private var closure: LibraryClosure {
    LibraryClosure(host: folder.path + "/installed")
  }

  private func add(_ plugin: String, to closure: inout LibraryClosure) throws(BundleError) {
    let path = folder.path + "/" + plugin
    try closure.add(
      neededBy: try LibraryClosure.read(path),
      pluginFolder: (path as NSString).deletingLastPathComponent)
  }

  @Test("A library from elsewhere brings those beside it, which need not be in the plugin's folder")
  func neighbours() async throws {
    try await compile(
      """
      library elsewhere/libInner.so
      library elsewhere/libOuter.so -Lelsewhere -lInner -Wl,-rpath,'$ORIGIN'
      library one/libOne.so -Lelsewhere -lOuter -Wl,-rpath,"$PWD/elsewhere" -Wl,-rpath-link,elsewhere
      """)
    var closure = closure
    try add("one/libOne.so", to: &closure)
    #expect(
      closure.files.map(\.path) == [
        "lib/appcore/runtime/libOuter.so", "lib/appcore/runtime/libInner.so",
      ])
  }

  @Test("A plugin's own library must be in its folder")
  func outside() async throws {
    try await compile(
      """
      library shared/libShared.so
      library one/libOne.so -Lshared -lShared -Wl,-rpath,'$ORIGIN/../shared'
      """)
    var closure = closure
    let error = #expect(throws: BundleError.self) { try add("one/libOne.so", to: &closure) }
    #expect(error?.cause.code == "bundle-library-missing")
  }

  @Test("Plugins share a library that is the same, and different ones of one name are refused")
  func conflict() async throws {
    try await compile(
      """
      for plugin in one two three; do
        text=$([ $plugin = three ] && echo other || echo same)
        library $plugin/libShared.so
        library $plugin/libPlugin.so -L$plugin -lShared -Wl,-rpath,'$ORIGIN'
      done
      """)
    var closure = closure
    try add("one/libPlugin.so", to: &closure)
    try add("two/libPlugin.so", to: &closure)
    #expect(closure.files.map(\.path) == ["lib/appcore/plugins/libShared.so"])
    let error = #expect(throws: BundleError.self) { try add("three/libPlugin.so", to: &closure) }
    #expect(error?.cause.code == "bundle-library-conflict")
    #expect(error?.cause.message.contains("/three/libShared.so' is not the same as '") == true)
    #expect(error?.cause.message.contains("/one/libShared.so'") == true)
  }

  @Test("A library's search path leads to the bundle's own libraries, however deep it is")
  func runtimeFolder() {
    for (place, folder) in [
      ("lib/appcore/runtime/libx.so", "$ORIGIN"),
      ("lib/appcore/plugins/libx.so", "$ORIGIN/../runtime"),
      ("lib/appcore/plugins/inner/libx.so", "$ORIGIN/../../runtime"),
    ] {
      #expect(Bundle.runtimeFolder(from: place) == folder)
    }
  }
}
