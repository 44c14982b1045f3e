internal import AppCore
