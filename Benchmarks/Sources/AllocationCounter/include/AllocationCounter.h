#pragma once

/// How often the current thread has asked for memory.
long appcore_allocation_count(void);
