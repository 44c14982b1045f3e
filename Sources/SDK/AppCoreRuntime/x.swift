public import AppCore
