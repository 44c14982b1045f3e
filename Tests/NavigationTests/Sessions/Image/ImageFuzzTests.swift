import AppCore
import Foundation
internal import TestSupport
import Testing

@testable import Sessions

/// Images that were damaged: read as one of the states that there were, or refused.
///
/// `APPCORE_FUZZ_IMAGES` says how many, `APPCORE_FUZZ_SEED` where to begin.
@Suite(
  "Damaged images", .notThreadSanitized("one thread for 100,000 steps, in which nothing can race"))
struct ImageFuzzTests {
  /// A file, and the image after each of its frames, by the frame's number.
  private struct Recording {
    var bytes = ImageFrame.header
    var frames: [[UInt8]] = []
    var images: [UInt64: SessionImage] = [:]

    init(seed: UInt64, changes: Int) {
      var session = RandomSession(seed: seed)
      add(session.beginning, session.image)
      for _ in 0..<changes { add(session.change(), session.image) }
    }

    private mutating func add(_ change: ImageChange, _ image: SessionImage) {
      let number = UInt64(frames.count + 1)
      let frame = ImageFrame.bytes(change.lines, number: number)
      frames.append(frame)
      bytes += frame
      images[number] = image
    }
  }

  @Test("A file that is cut off anywhere gives the last change that is whole")
  func truncated() throws {
    let recording = Recording(seed: 5, changes: 12)
    var ends: [Int] = [ImageFrame.header.count]
    for frame in recording.frames { ends.append(ends[ends.count - 1] + frame.count) }
    for length in 0...recording.bytes.count {
      let whole = UInt64(max(0, ends.count(where: { $0 <= length }) - 1))
      let read = try? ImageReader.read(Array(recording.bytes.prefix(length)))
      #expect(read?.number ?? 0 == whole)
      #expect(read?.image == recording.images[whole])
    }
  }

  @Test("Whatever is changed, no state is taken for one that there never was")
  func damaged() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["APPCORE_FUZZ_IMAGES"].flatMap(Int.init) ?? 2000
    let seed = environment["APPCORE_FUZZ_SEED"].flatMap(UInt64.init) ?? 1
    var random = SplitMix64(seed: seed)
    var recording = Recording(seed: seed, changes: 10)
    var wholes = 0
    for round in 0..<count {
      if round % 1000 == 999 { recording = Recording(seed: random.next(), changes: 10) }
      let bytes = Self.damage(recording.bytes, recording.frames, &random)
      guard let read = try? ImageReader.read(bytes) else { continue }
      wholes += 1
      #expect(recording.images[read.number] == read.image)
    }
    // Most damage leaves something to be read.
    #expect(wholes > count / 3)
  }

  @Test("Bytes behind a right digest are read or refused, whatever they are")
  func content() {
    var random = SplitMix64(seed: 9)
    var session = RandomSession(seed: 9)
    for _ in 0..<3000 {
      var bytes = session.change().content
      for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      // What is read can be written, and is the same then.
      if let change = ImageChange(bytes[...]) {
        #expect(ImageChange(change.content[...])?.content.count == change.content.count)
      }
    }
  }

  @Test("A number that JSON lacks, and an object that looks like one, are the same afterwards")
  func numbers() throws {
    for value: Value in [
      .double(.infinity), [.double(-.infinity), 1.5], ["$number": "inf"],
      ["$number": ["$number": .double(.infinity)]], ["$number": 1, "a": .double(.infinity)],
    ] {
      var change = ImageChange()
      change.state.instances = [.whole(SavedInstance(id: 7, node: "list", state: .value(value)))]
      #expect(ImageChange(change.content[...]) == change)
    }
    let nan = Value(stored: try Value(json: Value.double(.nan).stored.json))
    #expect(nan.description == "nan")
  }

  @Test("A value that is nested without end is refused")
  func nested() {
    let content = Array(#"{"c":"#.utf8) + [UInt8](repeating: 0x5b, count: 100_000)
    #expect(ImageChange(content[...]) == nil)
  }

  @Test("A file that is not a session, or one of another version, is refused with the reason")
  func foreign() {
    let cases: [([UInt8], String)] = [
      ([], "it is empty"), (Array("hello, world: not a session".utf8), "it is not a saved session"),
      (
        ImageFrame.header.dropLast() + [9],
        "it has format 9, and this version of appcore reads format 4"
      ),
      (ImageFrame.header, "it is damaged"),
    ]
    for (bytes, reason) in cases {
      do {
        _ = try ImageReader.read(bytes)
        Issue.record("\(reason): it was read")
      } catch {
        #expect("\(error)" == reason)
      }
    }
  }

  private static func damage(
    _ bytes: [UInt8], _ frames: [[UInt8]], _ random: inout SplitMix64
  ) -> [UInt8] {
    var bytes = bytes
    switch Int.random(in: 0..<5, using: &random) {
    case 0, 1:
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] ^= UInt8.random(
          in: 1...255, using: &random)
      }
    case 2: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
    case 3:
      // Frames that are all right, in another order, or again.
      var frames = frames
      frames.swapAt(
        Int.random(in: frames.indices, using: &random),
        Int.random(in: frames.indices, using: &random))
      frames.insert(
        frames[Int.random(in: frames.indices, using: &random)],
        at: Int.random(in: frames.indices, using: &random))
      bytes = ImageFrame.header + frames.flatMap { $0 }
    default:
      let start = Int.random(in: bytes.indices, using: &random)
      let count = Int.random(in: 0...min(64, bytes.count - start), using: &random)
      bytes.removeSubrange(start..<start + count)
    }
    return bytes
  }
}

extension ImageChange {
  /// The content of its frame.
  fileprivate var content: [UInt8] { Array(lines.joined(separator: "\n").utf8) }
}
