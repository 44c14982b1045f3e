import AppCore

enum Ticks: ComponentAction { case ticked }

func press(_ ticks: Effect<Ticks>) -> Effect<Editor.Action> {
  // expect: requires that 'Editor.Action' conform to 'ComponentAction'
  ticks.map { _ in .view(.saveTapped) }
}
