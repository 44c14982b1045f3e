#pragma once

/// The number of allocations that the current thread has made.
long appcore_allocation_count(void);
