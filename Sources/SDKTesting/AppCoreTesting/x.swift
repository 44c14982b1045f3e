internal import AppCoreHost
