import AppCore
import Sessions
import TestSupport
import Testing

@Suite("The history of steps")
struct StepHistoryTests {
  /// An app whose one instance counts, and whose state is about so large.
  private struct Counting {
    var moment = AppMoment()
    var number = 0
    let size: Int

    init(size: Int) {
      self.size = size
    }

    mutating func step() -> RecordedStep {
      number += 1
      var step = RecordedStep(
        number: number, time: number * 10, duration: 900, origin: .screen, node: "counter",
        instance: 0, text: ".view(.addTapped)", action: ["view": "addTapped"])
      if number == 1 {
        step.change.instances = [
          .whole(
            SavedInstance(
              id: 0, node: "counter", arguments: [:], presenter: nil, place: .layer(over: nil),
              selectedTab: nil, order: 1,
              state: .value(["count": 1, "text": .string(String(repeating: "x", count: size))])))
        ]
      } else {
        step.change.instances = [.state(0, [ValueEdit([.field("count")], .set(.int(number)))])]
      }
      let failure = moment.apply(step.change)
      #expect(failure == nil)
      return step
    }
  }

  private func fill(_ history: inout StepHistory, _ app: inout Counting, steps: Int) {
    for _ in 0..<steps {
      let before = app.moment
      let needs = history.needsKeyframe
      let step = app.step()
      history.append(
        step.number, StepHistory.Line(.step(step)),
        keyframe: needs
          ? StepHistory.Line(.keyframe(step: step.number - 1, before)) : nil)
    }
  }

  @Test(
    "It keeps what its bound allows, to the byte, and drops the oldest first",
    arguments: [
      100, 10_000,
    ])
  func bound(size: Int) throws {
    var history = StepHistory(limit: 1 << 18)
    var app = Counting(size: size)
    fill(&history, &app, steps: 4_000)
    #expect(history.size <= 1 << 18)
    // A group at most is dropped more than has to be.
    #expect(history.size > (1 << 18) * 8 / 10)
    #expect(history.numbers.upperBound == 4_001)
    #expect(history.numbers.lowerBound > 1)
    #expect(history.step(history.numbers.lowerBound - 1) == nil)
  }

  @Test("Every step that is kept is there, and the app after it")
  func moments() throws {
    var history = StepHistory(limit: 1 << 16)
    var app = Counting(size: 40)
    fill(&history, &app, steps: 1_000)
    for number in history.numbers {
      #expect(history.step(number)?.number == number)
      let moment = try #require(history.moment(after: number))
      #expect(moment.instances[0]?.state.value?["count"] == .int(number))
    }
    let first = history.numbers.lowerBound
    #expect(
      history.moment(after: first - 1)?.instances[0]?.state.value?["count"] == .int(first - 1))
    #expect(history.moment(after: 1_001) == nil)
  }

  @Test("A bound that is smaller than one step keeps nothing, and does not fail")
  func tiny() {
    var history = StepHistory(limit: 100)
    var app = Counting(size: 40)
    fill(&history, &app, steps: 100)
    #expect(history.numbers.isEmpty)
    #expect(history.size == 0)
  }
}
