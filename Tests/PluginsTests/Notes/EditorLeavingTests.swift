import AppCore
import AppCoreTesting
import Testing

@testable import Notes

@MainActor
@Suite("Leaving Notes.Editor")
struct EditorLeavingTests {
  private let question = ConfirmationDialogState<Editor.Leaving> {
    "Some of the text is not saved yet"
  } actions: {
    ButtonState("Save and close", action: .save)
    ButtonState("Discard", role: .destructive, action: .discard)
    ButtonState.cancel("Keep writing")
  }

  /// An editor of a new note, which is being asked what is to become of its text.
  private func asked() async throws -> EditorBench {
    let bench = try EditorBench(files())
    await bench.store.didStart()
    await bench.write("Milk")
    await bench.store.send(.backTapped) { $0.leaving = question }
    return bench
  }

  @Test("While it is being asked nothing is saved by itself; discarding closes it without a trace")
  func discard() async throws {
    let bench = try await asked()
    await bench.clock.advance(by: .seconds(5))
    await bench.store.send(/Editor.Action.leaving, .presented(.discard)) {
      $0.leaving = nil
      $0.text = ""
    }
    await bench.store.receive(.delegate(.closed))
    // It is removed now, and keeps nothing.
    await bench.store.willEnd {
      $0.isEnding = true
      $0.next = .close
    }
    #expect(try await bench.files.exists("/notes") == false)
    await bench.store.finish()
  }

  @Test("A copy of the text is kept while it is saved for the last time, and only then")
  func copy() async throws {
    let bench = try await asked()
    bench.store.exhaustivity = .off
    await bench.store.willEnd()
    await bench.store.finish()
    #expect(bench.copies.all == ["holds 'Milk' of the note 'Milk'", "saved"])
    let failing = try EditorBench(files(["/notes/ada": "a file in the way"]))
    failing.store.exhaustivity = .off
    await failing.store.didStart()
    await failing.store.send(.textChanged("Milk"))
    await failing.store.send(.saveTapped)
    await failing.store.finish()
    #expect(failing.copies.all == [])
    await failing.store.willEnd()
    await failing.store.finish()
    #expect(failing.copies.all.first == "holds 'Milk' of the note 'Milk'")
    #expect(failing.copies.all.last?.hasPrefix("can't create the directory") == true)
  }

  @Test("When the app ends and all is saved, nothing happens")
  func endSaved() async throws {
    let bench = try await EditorBench.opened(7, 1, "a", in: files([path(7, 1): "a"]))
    await bench.store.willEnd {
      $0.isEnding = true
      $0.next = .close
    }
    #expect(try await names(bench.files) == [file(7, 1).name])
    await bench.store.finish()
  }

  @Test(
    "Text written during a save is saved as well, whether that save is cancelled or not",
    arguments: [false, true])
  func endWhileSaving(isRemoved: Bool) async throws {
    let bench = try EditorBench(files())
    bench.store.exhaustivity = .off
    await bench.store.didStart()
    await bench.store.send(.textChanged("Milk"))
    let save = await bench.store.send(.saveTapped)
    await bench.store.send(.lineAdded("eggs"))
    // What runs when an instance is removed is cancelled.
    if isRemoved { await save.cancel() }
    await bench.store.willEnd()
    await bench.store.finish()
    let all = try await names(bench.files).sorted()
    // Versions of one note, and no copy of it.
    #expect(all == [file(0, 1).name] || all == [file(0, 1).name, file(0, 2).name])
    let last = try #require(all.last)
    #expect(try await bench.files.readText("/notes/ada/\(last)") == "Milk\neggs")
  }

  @Test("Saving and closing tells of both, in this order")
  func save() async throws {
    let bench = try await asked()
    await bench.store.send(/Editor.Action.leaving, .presented(.save)) {
      $0.leaving = nil
      $0.saving = "Milk"
      $0.next = .close
    }
    await bench.receiveSaved(0, 1, "Milk")
    await bench.store.receive(.delegate(.closed))
    await bench.store.finish()
  }

  @Test(
    "Keeping on writing, or going back from the question, keeps the text, which is saved in time")
  func keep() async throws {
    for isBack in [false, true] {
      let bench = try await asked()
      if isBack {
        await bench.store.send(.backTapped) { $0.leaving = nil }
      } else {
        await bench.store.send(/Editor.Action.leaving, .dismiss) { $0.leaving = nil }
      }
      await bench.clock.advance(by: .seconds(1))
      await bench.store.receive(.internal(.rested)) { $0.saving = "Milk" }
      await bench.receiveSaved(0, 1, "Milk")
      await bench.store.finish()
    }
  }

  @Test("Where saving and closing fails, it stays open, and asks again with the reason")
  func saveFails() async throws {
    let bench = try EditorBench(files(["/notes/ada": "a file in the way"]))
    await bench.store.didStart()
    await bench.write("Milk")
    await bench.store.send(.backTapped) { $0.leaving = question }
    await bench.store.send(/Editor.Action.leaving, .presented(.save)) {
      $0.leaving = nil
      $0.saving = "Milk"
      $0.next = .close
    }
    let reason =
      "can't create the directory '/notes/ada': File exists; something else than a folder has its name"
    await bench.store.receive(.internal(.savingFailed(reason))) {
      $0.saving = nil
      $0.next = nil
      $0.failure = reason
    }
    await bench.store.send(.backTapped) {
      var again = question
      again.message = "It could not be saved: \(reason)."
      $0.leaving = again
    }
    await bench.store.send(/Editor.Action.leaving, .presented(.discard)) {
      $0.leaving = nil
      $0.text = ""
    }
    await bench.store.receive(.delegate(.closed))
    await bench.store.finish()
  }

  @Test("Deleting is asked for by the note's title, and happens once it is confirmed")
  func delete() async throws {
    let bench = try await EditorBench.opened(
      7, 2, "Milk\neggs",
      in: files([
        path(7, 1): "Milk", path(7, 2): "Milk\neggs",
      ]))
    await bench.store.send(.deleteTapped)
    await bench.store.receive(.delegate(.deleteRequested(title: "Milk")))
    await bench.store.sendInput(.deleteConfirmed) { $0.isDeleting = true }
    await bench.store.receive(.internal(.deleted(file(7, 2))))
    await bench.store.receive(.delegate(.deleted(id: "\(UniqueID(7))")))
    #expect(try await bench.files.list("/notes/ada") == [])
    await bench.store.finish()
  }

  @Test("A note that was never saved is only closed, and one that changed elsewhere is kept")
  func deleteOthers() async throws {
    let new = try EditorBench(files())
    await new.store.didStart()
    await new.write("Milk")
    await new.store.sendInput(.deleteConfirmed) { $0.text = "" }
    await new.store.receive(.delegate(.closed))
    await new.store.skipInFlightEffects()

    let files = files([path(7, 1): "a"])
    let bench = try await EditorBench.opened(7, 1, "a", in: files)
    try await files.write("theirs", to: path(7, 2))
    await bench.store.sendInput(.deleteConfirmed) { $0.isDeleting = true }
    let reason = NoteError.changedElsewhere.description
    await bench.store.receive(.internal(.deletingFailed(reason))) {
      $0.isDeleting = false
      $0.notice = "Not deleted: \(reason)."
    }
    #expect(try await names(files) == [file(7, 1).name, file(7, 2).name])
    await bench.store.finish()
  }

  /// An editor's state while a text is being saved, after these actions.
  private func whileSaving(_ saving: String, _ actions: Editor.Action...) -> Editor.State {
    var state = Editor.State(user: "ada")
    state.text = saving
    state.saving = saving
    let editor = Editor(folder: folder, saveAfter: .seconds(1))
    for action in actions { _ = editor.reduce(into: &state, action: action) }
    return state
  }

  private let saved = Editor.Action.internal(
    .saved(SavedNote(note: Note(file: file(0, 1), text: "Milk"), isCopy: false)))

  @Test("While all of it is being saved, going back waits for that and asks nothing")
  func backWhileSaving() {
    let state = whileSaving("Milk", .view(.backTapped))
    #expect(state.next == .close)
    #expect(state.leaving == nil)
    #expect(whileSaving("Milk", .view(.backTapped), .view(.lineAdded("eggs"))).next == nil)
    #expect(whileSaving("Milk", .view(.lineAdded("eggs")), .view(.backTapped)).leaving == question)
  }

  @Test("One save runs at a time; what is written meanwhile is saved after it")
  func writtenMeanwhile() {
    let written = whileSaving("Milk", .view(.lineAdded("eggs")), .internal(.rested))
    #expect(written.saving == "Milk")
    let after = whileSaving("Milk", .view(.lineAdded("eggs")), saved, .internal(.rested))
    #expect(after.saving == "Milk\neggs")
    #expect(after.file == file(0, 1))
  }

  @Test("A note that is deleted while it is being saved is deleted after that")
  func deleteWhileSaving() {
    let waiting = whileSaving("Milk", .input(.deleteConfirmed))
    #expect(waiting.next == .delete)
    #expect(!waiting.isDeleting)
    #expect(whileSaving("Milk", .input(.deleteConfirmed), saved).isDeleting)
  }
}
