import TestSupport
import Testing

@testable import AppCore

/// Children nested as deep as a store's thread is made for.
///
/// 100,000 levels are an ordinary size for actions that change the state. What effects need of the
/// stack at each level is more, so these are tested less deep.
@DeepHome
@Suite(
  "Children nested 100,000 deep", .timeLimit(.minutes(30)),
  .notSanitized("a sanitizer's frames are too long for 100,000 levels"))
struct DeepRecursionTests {
  private static let depth = 100_000
  private static let effectDepth = 5_000

  @Test("A type within itself: changed and presented at the bottom, dismissed from the top")
  func withinItself() {
    let store = Store(deep: Level.nested(Self.depth), reducer: Level.reducer)
    store.send(Level.at(Self.depth, .add))
    store.send(Level.at(Self.depth, .present))
    store.send(Level.at(Self.depth + 1, .add))
    #expect(store.state.counts(from: Self.depth) == [1, 1])
    store.send(.next(.dismiss))
    #expect(store.state.counts(from: 0) == [0])
  }

  @Test("An effect at the bottom sends, and dismisses its child")
  func effects() async {
    let depth = Self.effectDepth
    let store = Store(deep: Level.nested(depth), reducer: Level.reducer)
    await store.send(Level.at(depth, .work)).finish()
    #expect(store.state.counts(from: depth) == [1])
    await store.send(Level.at(depth, .leave)).finish()
    #expect(store.state.counts(from: depth - 1) == [0])
    store.send(Level.at(depth - 2, .next(.dismiss)))
    #expect(store.state.counts(from: depth - 2) == [0])
  }

  @Test("Two types that present each other, in turn")
  func eachOther() {
    let store = Store(deep: Alpha.nested(pairs: Self.depth / 2), reducer: Alpha.reducer)
    let bottom = Self.depth - 1
    store.send(Alpha.at(bottom, alpha: .add, beta: .add))
    store.send(Alpha.at(bottom, alpha: .present, beta: .present))
    store.send(Alpha.at(bottom + 1, alpha: .add, beta: .add))
    #expect(store.state.depth == Self.depth + 1)
    store.send(.beta(.dismiss))
    #expect(store.state.depth == 1)
  }

  @Test("In any order: an action for a level that is gone is reported, and every other one arrives")
  func anyOrder() {
    var lost = 0
    var depths: [[Int]] = []
    let reports = reported {
      let store = Store(deep: Alpha(beta: Beta()), reducer: Alpha.reducer)
      var random = SplitMix64(seed: 7)
      var depth = 2
      for _ in 0..<2_000 {
        // The levels are counted from 0; one that is not there may be meant.
        let level = Int.random(in: 0..<depth + 3, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          store.send(Alpha.at(level, alpha: .beta(.dismiss), beta: .alpha(.dismiss)))
          if level < depth - 1 { depth = level + 1 } else { lost += 1 }
        case 1:
          store.send(Alpha.at(level, alpha: .add, beta: .add))
          if level >= depth { lost += 1 }
        default:
          store.send(Alpha.at(level, alpha: .present, beta: .present))
          // What is presented anew takes the place of what was.
          if level < depth { depth = level + 2 } else { lost += 1 }
        }
        depths.append([store.state.depth, depth])
      }
    }
    #expect(depths.allSatisfy { $0[0] == $0[1] })
    #expect(lost > 200 && reports.count == lost)
    #expect(reports.allSatisfy { $0.contains("that is not presented\n  action: ") })
  }
}
