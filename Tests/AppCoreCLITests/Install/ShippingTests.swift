import Foundation
import TestSupport
import Testing

/// From an empty folder to machines without Swift, with what an installed tree has.
@Suite("Shipping an app", .long)
struct ShippingTests {
  let tree: InstalledTree
  private let name = "ship-\(UUID().uuidString.prefix(8))"

  init() async throws {
    tree = try await InstalledTree.shared
    try tree.makeFolder(name)
  }

  private var folder: String { tree.folder.appendingPathComponent(name).path }

  /// An app in `../console/bundled` and its bundle in `../console/out`, which are copied by who uses
  /// them, made by three commands.
  private static let console = Task {
    let tree = try await InstalledTree.shared
    try tree.makeFolder("console")
    return try await tree.run(
      """
      export PATH="$APPCORE/bin:$PATH"
      appcore new console && cd console && appcore bundle -o ../out && cp -r . ../bundled
      appcore test
      """, in: "console")
  }

  /// What the commands print that make the app and its bundle.
  private func made() async throws -> ProgramResult {
    let made = try await Self.console.value
    try #require(made.status == 0, "\(made.output)")
    return made
  }

  /// Runs a line in this test's folder, with the tree's programs on the `PATH`.
  private func run(_ line: String) async throws -> ProgramResult {
    try await tree.run("export PATH=\"$APPCORE/bin:$PATH\"\n" + line, in: name)
  }

  /// The commands that make a small root with the C and C++ runtimes, a shell, `ssh-keygen` and
  /// nothing else, in which a bundle is `/opt/app`, and run a program there.
  ///
  /// The machine is not changed: what is mounted is seen by these commands alone. A folder `policy`
  /// beside them is `/etc/appcore`.
  private func isolated(_ bundle: String, _ command: String, input: String) -> String {
    """
    cat > isolated.sh <<'END'
    set -e
    root=$PWD/root
    mkdir -p "$root"
    mount -t tmpfs none "$root"
    for folder in lib64 lib bin etc opt tmp proc dev; do mkdir -p "$root/$folder"; done
    chmod 755 "$root" "$root/etc"
    ln -s . "$root/usr"
    for library in libc.so.6 libm.so.6 libgcc_s.so.1 libstdc++.so.6; do
      cp -L "$(ldconfig -p | sed -n "s|.*$library .*x86-64.*=> ||p; s|.*$library .*AArch64.*=> ||p" \\
        | head -n 1)" "$root/lib"
    done
    cp -L "$(ls /lib64/ld-linux-*.so.* /lib/ld-linux-*.so.* 2>/dev/null | head -n 1)" "$root/lib64"
    cp -L "$root"/lib64/* "$root/lib"
    cp -L /bin/dash "$root/bin/sh" 2>/dev/null || cp -L /bin/sh "$root/bin/sh"
    cp -r "\(bundle)" "$root/opt/app"
    if [ -d policy ]; then
      cp -r policy "$root/etc/appcore" && chown -R 0:0 "$root/etc" && chmod -R u=rwX,go=rX "$root/etc"
      echo 'root:x:0:0::/tmp:/bin/sh' > "$root/etc/passwd"
      cp -L /usr/bin/ssh-keygen "$root/bin"
      ldd /usr/bin/ssh-keygen | sed -n 's/.*=> \\(.*\\) (.*/\\1/p' | xargs -I{} cp -L {} "$root/lib"
    fi
    mount --rbind /proc "$root/proc"
    mount --rbind /dev "$root/dev"
    cd "$root"
    printf '\(input)' | env -i HOME=/tmp LD_LIBRARY_PATH=/lib "$(command -v chroot)" . \(command) 2>&1
    END
    PATH=$PATH:/usr/sbin:/sbin
    if [ "$(id -u)" = 0 ]; then unshare -m sh isolated.sh; else unshare -rm sh isolated.sh; fi
    """
  }

  /// Whether this machine lets its users make namespaces; else there is nothing to test.
  private func canIsolate() async throws -> Bool {
    try await run("[ \"$(id -u)\" = 0 ] && unshare -m true || unshare -rm true").status == 0
  }

  @Test("Four commands lead to a bundle that runs where there is no Swift, and no checkout")
  func fourCommands() async throws {
    let made = try await made()
    #expect(made.output.contains("4 tests passed\n"), "\(made.output)")
    guard try await canIsolate() else { return }
    _ = try await run("cp -r ../console/out .")
    let script = "@add\\n@add\\n@add\\n:expect That makes 3\\n@yes\\n:path\\n"
    let ran = try await run(isolated("out", "/opt/app/bin/console", input: script))
    #expect(ran.status == 0, "\(ran.output)")
    #expect(ran.output.contains("That makes 3. Again?"), "\(ran.output)")
    #expect(ran.output.contains("/counter\n"), "\(ran.output)")

    // One changed byte of a plugin, and none of its code runs.
    let changed = try await run(
      """
      cp -r out changed
      printf x | dd of=changed/lib/appcore/plugins/libConsole.so bs=1 seek=30000 conv=notrunc 2>&1
      """
        + "\n" + isolated("changed", "/opt/app/bin/console", input: script))
    #expect(changed.status == 65 || changed.status == 69, "\(changed.output)")
    #expect(changed.output.contains("libConsole.so"), "\(changed.output)")
    #expect(!changed.output.contains("0 of 3"))

    // One changed word of the manifest, which the lock has.
    let edited = try await run(
      """
      cp -r out edited
      sed -i 's/Once more/Once less/' edited/share/console/app.yaml
      edited/bin/console -c @add
      """)
    #expect(edited.status == 65, "\(edited.output)")
    #expect(edited.output.contains("modified since it was locked"), "\(edited.output)")
  }

  @Test("A signed bundle runs where root asks for signatures, and not with one byte changed")
  func signed() async throws {
    guard try await canIsolate() else { return }
    let made = try await run(
      """
      ssh-keygen -q -t ed25519 -N '' -C release -f release
      appcore new console >/dev/null 2>&1 && cd console
      appcore test 2>/dev/null | tail -n 1
      appcore lock app.yaml 2>&1 && appcore sign app.yaml --key ../release 2>&1
      appcore bundle -o ../out.tar.gz --sign ../release | head -n 1
      cd .. && mkdir -p unpacked policy && tar xzf out.tar.gz -C unpacked
      echo 'signatures: require' > policy/policy.yaml
      echo "release@example.com $(cat release.pub)" > policy/allowed_signers
      """)
    #expect(made.status == 0, "\(made.output)")
    #expect(
      made.lines == [
        "4 tests passed", "appcore.lock: written; 2 plugins, 2 builds, 1 file of the manifest",
        "appcore.lock.sig: written", "console 0.1.0",
      ], "\(made.output)")
    func ran(_ bundle: String) async throws -> ProgramResult {
      try await run(isolated(bundle, "/opt/app/bin/console", input: "@add\\n:path\\n"))
    }
    let good = try await ran("unpacked/console-0.1.0")
    #expect(good.status == 0 && good.output.contains("1 of 3"), "\(good.output)")
    #expect(good.output.contains("/counter\n"), "\(good.output)")
    for (file, code) in [
      ("lib/appcore/plugins/libConsole.so", "plugin-not-as-built"),
      ("share/console/app.yaml", "lock-manifest-changed"),
      ("share/console/appcore.lock", "lock-changed-since-signed"),
      ("share/console/appcore.lock.sig", "lock-changed-since-signed"),
    ] {
      let changed = try await run(
        """
        rm -rf changed && cp -r unpacked/console-0.1.0 changed && cd changed
        python3 - \(file) <<'END'
        import sys
        with open(sys.argv[1], "r+b") as file:
            data = bytearray(file.read())
            place = len(data) // 2
            data[place] = ord("B") if data[place] == ord("A") else ord("A")
            file.seek(0)
            file.write(data)
        END
        """)
      #expect(changed.status == 0, "\(changed.output)")
      let refused = try await ran("changed")
      #expect(refused.status != 0 && !refused.output.contains("of 3"), "\(refused.output)")
      #expect(refused.output.contains(code), "\(file): \(refused.output)")
    }
    let unsigned = try await run(
      "rm -rf changed && cp -r unpacked/console-0.1.0 changed && rm changed/share/console/*.sig")
    #expect(unsigned.status == 0)
    #expect(try await ran("changed").output.contains("[lock-not-signed]"))
  }

  @Test("Folders, homes and prefixes make the same bundle, which names none of them")
  func reproducible() async throws {
    let made = try await run(
      """
      mkdir -p "a longer prefix" && cp -al "$APPCORE" "a longer prefix/tree"
      unset XDG_CACHE_HOME
      for place in one two/deeper; do
        export HOME=$PWD/home/$place && mkdir -p $place "$HOME"
        [ $place = one ] || export PATH="$PWD/a longer prefix/tree/bin:$PATH"
        (cd $place && appcore new console && cd console \\
          && appcore bundle -o ../out && appcore bundle -o ../out.tar.gz \\
          && appcore bundle -o ../out.deb --maintainer 'Ada Lovelace <ada@example.org>') || exit
        sleep 1
      done >/dev/null 2>&1
      diff -r one/out two/deeper/out && cmp one/out.tar.gz two/deeper/out.tar.gz \\
        && cmp one/out.deb two/deeper/out.deb && echo same
      grep -rlaF -e "$PWD" -e "$APPCORE" one/out
      swift=$(readlink -f "$(command -v swiftc)")
      grep -aF -e "$APPCORE" -e "${swift%/bin/*}" one/out/lib/appcore/plugins/libConsole.so | wc -l
      """)
    #expect(made.output == "same\n0\n", "\(made.output)")
  }

  @Test("Every library of a bundle is needed, and all that is needed is in it or the machine's")
  func libraries() async throws {
    _ = try await made()
    let list = try await run(
      """
      cp -r ../console/out . && cd out
      find . -name '*.so*' -o -path ./bin/appcore | sort | while read -r file; do
        readelf -d "$file" | sed -n "s|.*(NEEDED).*\\[\\(.*\\)\\]|\\1|p"
      done | sort -u > needed; rm -f have; ls lib lib/appcore/runtime | grep so > have
      for name in $(cat needed); do
        [ -e lib/$name ] || [ -e lib/appcore/runtime/$name ] || echo "machine: $name"
      done
      for name in $(cat have); do grep -qx "$name" needed || echo "idle: $name"; done
      """)
    #expect(
      Set(list.lines).isSubset(
        of: [
          "machine: libc.so.6", "machine: libm.so.6", "machine: libgcc_s.so.1",
          "machine: libstdc++.so.6", "machine: ld-linux-x86-64.so.2",
          "machine: ld-linux-aarch64.so.1",
        ]), "\(list.output)")
  }

  @Test("A plugin that imports Foundation is bundled with all that Foundation needs")
  func foundation() async throws {
    _ = try await made()
    let made = try await run(
      """
      cp -r ../console/bundled console && cd console
      printf 'import Foundation\nlet beginning = Date(timeIntervalSince1970: 0)\n' \
        > Plugins/Console/Sources/Console/Beginning.swift
      appcore bundle -o ../out >/dev/null && cd .. && ls out/lib/appcore/runtime | grep Foundation
      printf '@add\n' | env -i HOME=/tmp PATH=/usr/bin:/bin out/bin/console | tail -n 3 | head -n 1
      """)
    #expect(made.output.contains("libFoundation.so\n"), "\(made.output)")
    #expect(made.output.contains("libFoundationInternationalization.so\n"), "\(made.output)")
    #expect(made.output.hasSuffix("\n1 of 3\n"), "\(made.output)")
  }

  @Test("A library without a search path finds what it needs in the bundle")
  func noSearchPath() async throws {
    _ = try await made()
    let made = try await run(
      """
      cp -r ../console/out . && cd out/lib/appcore/runtime
      echo 'int inner(void) { return 1; }' | cc -shared -fPIC -o libInner.so -x c -
      echo 'int inner(void); int outer(void) { return inner(); }' \
        | cc -shared -fPIC -o libOuter.so -x c - -L. -lInner
      LD_PRELOAD=$PWD/libOuter.so ../../../bin/appcore --version | head -n 1 | cut -d ' ' -f 1
      """)
    #expect(made.output == "appcore\n", "\(made.output)")
  }

  @Test("A package is installed, runs, and is removed without a trace", .enabled(if: hasDpkg))
  func package() async throws {
    guard try await canIsolate() else { return }
    _ = try await made()
    let made = try await run(
      """
      cp -r ../console/bundled console && cd console \\
        && appcore bundle -o ../console.deb --maintainer 'Ada Lovelace <ada@example.org>'
      """)
    #expect(made.status == 0, "\(made.output)")
    // In a tree of its own, laid over nothing: the machine's packages are not touched.
    let used = try await run(
      """
      cat > install.sh <<'END'
      set -e
      mkdir -p root/var/lib/dpkg/info root/var/lib/dpkg/updates && : > root/var/lib/dpkg/status
      dpkg="dpkg --root=$PWD/root --force-depends --force-not-root --force-script-chrootless --log=/dev/null"
      $dpkg -i console.deb >/dev/null 2>&1
      $dpkg -s console | sed -n 2p
      printf '@add\\n' | root/usr/bin/console | tail -n 3 | head -n 1
      if command -v systemd-analyze >/dev/null; then
        for unit in console.service console@.service; do
          sed 's,/usr/bin/console,/bin/true,' root/usr/lib/systemd/system/$unit > $unit
        done
        systemd-analyze verify --man=no ./console.service ./console@tty1.service 2>&1
      fi
      $dpkg -P console >/dev/null 2>&1
      find root -path root/var -prune -o -type f -print -o -type l -print
      $dpkg -s console 2>/dev/null | head -n 1
      END
      PATH=$PATH:/usr/sbin:/sbin
      if [ "$(id -u)" = 0 ]; then unshare -m sh install.sh; else unshare -rm sh install.sh; fi
      """)
    #expect(used.output == "Status: install ok installed\n1 of 3\n", "\(used.output)")
  }

  @Test(
    "Debian's own checks find no errors in a package",
    .enabled("lintian is missing", { hasLintian }))
  func lint() async throws {
    _ = try await made()
    let made = try await run(
      """
      cp -r ../console/bundled console && cd console && echo '# Console' > README.md
      printf 'Copyright 2026 Ada Lovelace\\n\\nAll rights reserved.\\n' > LICENSE
      appcore bundle -o ../console.deb --maintainer 'Ada Lovelace <ada@example.org>' >/dev/null \\
        && appcore bundle -o ../without.deb --maintainer 'Ada Lovelace <ada@example.org>' \\
          --with-runtime=no >/dev/null
      cd .. && for package in console.deb without.deb; do
        lintian --allow-root --tag-display-limit 0 $package 2>&1
      done
      """)
    #expect(made.output.isEmpty, "\(made.output)")
  }

  @Test(
    "A workspace of the checkout's appcore is built and tested by an installed one, and the reverse"
  )
  func otherAppcore() async throws {
    let checkout = buildFolder.path
    for (first, second) in [("$APPCORE/bin", checkout), (checkout, "$APPCORE/bin")] {
      let tested = try await run(
        """
        rm -rf console
        PATH="\(first):$PATH" appcore new console >/dev/null 2>&1 && cd console
        for folder in "\(first)" "\(second)"; do
          PATH="$folder:$PATH" appcore test 2>/dev/null
        done
        # By itself the package finds the appcore of the PATH.
        cd Plugins/Console && PATH="\(second):$PATH" swift test 2>&1 | grep -c 'Test run with 2 test'
        """)
      let passed = """
        check app.yaml: passed
        plugin Console: 2 tests passed
        script tests/smoke.script: passed
        4 tests passed

        """
      #expect(tested.output == passed + passed + "1\n", "\(tested.output)")
    }
  }

  @Test(
    "A link to a bundle that is changed while the app runs takes the other one over, or nothing")
  func swapped() async throws {
    _ = try await made()
    let made = try await run(
      """
      cp -r ../console/out v1 && cp -r ../console/bundled console && cd console || exit
      sed -i 's/) of /) out of /' Plugins/Console/Sources/Console/Counter.swift
      sed -i 's/"0.1.0"/"0.2.0"/' Plugins/Console/Sources/Console/ConsolePlugin.swift
      sed -i 's/title: Counter/title: Second/' app.yaml
      appcore bundle -o ../v2 && cp -r ../v2 ../v3 && echo 'start: nothing' >> ../v3/share/console/app.yaml
      ln -s v1 ../current
      """)
    #expect(made.status == 0, "\(made.output)")
    try Data(
      """
      import json, os, subprocess, sys
      app = subprocess.Popen(["current/bin/console", "--json", "--watch"],
          stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
      def screen(line=None):
          if line:
              print(line, file=app.stdin, flush=True)
          return json.loads(app.stdout.readline())
      def swap(name):
          os.symlink(name, "next"); os.rename("next", "current")
      def plugins():
          answer = screen(":plugins")
          # A screen that tells of the files may come before the answer.
          while "value" not in answer: answer = screen()
          return {p["name"]: p["version"] for p in answer["value"]}
      print(screen()["elements"][0]["text"]); print(screen("@add")["elements"][0]["text"])
      swap("v3")
      print(screen()["notices"][0]["text"].split(",")[0])
      print(plugins())
      swap("v2")
      while True:
          answer = screen()
          if any("was reloaded" in n["text"] for n in answer.get("notices", [])): break
      print(answer["elements"][0]["text"])
      print(plugins())
      app.stdin.close(); print(app.wait())

      """.utf8
    ).write(to: tree.folder.appendingPathComponent("\(name)/swap.py"))
    let swapped = try await run("timeout 60 python3 swap.py 2>&1")
    #expect(
      swapped.output == """
        0 of 3
        1 of 3
        the manifest was not reloaded
        {'Console': '0.1.0', 'Dialogs': '1.0.0'}
        1 out of 3
        {'Console': '0.2.0', 'Dialogs': '1.0.0'}
        0

        """, "\(swapped.output)")
  }
}

/// Whether the machine has dpkg.
private let hasDpkg = Program.find("dpkg") != nil

/// Whether the machine has the checks of Debian's packages.
private let hasLintian = Program.find("lintian") != nil
