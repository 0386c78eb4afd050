/* Owns a file system that goes wrong on demand: loaded before the C library, it refuses the n-th of
   the calls that concern files below one folder, or kills the process just before it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SPACE = 1, CHANGE = 2, SYNC = 4, READ = 8, LOCK = 16, MEMORY = 32 };

static char folder[PATH_MAX];
static int armed, kinds, at, sticky, code, count;

/* `nth` from 1, 0 for none; `error` is an errno, or -1 to be killed; `stays` for all that follow. */
void faults_arm(const char *below, int which, int nth, int error, int stays) {
    snprintf(folder, sizeof folder, "%s", below);
    kinds = which, at = nth, code = error, sticky = stays, count = 0, armed = 1;
}

int faults_disarm(void) {
    armed = 0;
    return count;
}

static int hits(int kind, const char *path) {
    if (!armed || !(kinds & kind) || !path || strncmp(path, folder, strlen(folder))) return 0;
    count++;
    if (!(at && (count == at || (sticky && count > at)))) return 0;
    if (code == -1) kill(getpid(), SIGKILL);
    errno = code;
    return 1;
}

static int hits_open(int kind, int handle) {
    char link[64], path[PATH_MAX];
    int saved = errno;
    if (!armed || !(kinds & kind)) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) { errno = saved; return 0; }
    path[size] = 0;
    errno = saved;
    return hits(kind, path);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define ON_PATH(kind, name, given, arguments, path) \
    int name given { return hits(kind, path) ? -1 : REAL(name) arguments; }
#define ON_HANDLE(type, kind, name, given, arguments) \
    type name given { return hits_open(kind, handle) ? -1 : REAL(name) arguments; }

static int makes(const char *path, int flags) {
    return (flags & O_CREAT) && access(path, F_OK) != 0;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list rest; va_start(rest, flags); int mode = va_arg(rest, int); va_end(rest); \
        int saved = errno, made = armed && makes(path, flags); errno = saved; \
        return made && hits(SPACE, path) ? -1 : REAL(name)(path, flags, mode); }
#define OPEN_AT(name) \
    int name(int from, const char *path, int flags, ...) { \
        va_list rest; va_start(rest, flags); int mode = va_arg(rest, int); va_end(rest); \
        int saved = errno, made = armed && makes(path, flags); errno = saved; \
        return made && hits(SPACE, path) ? -1 : REAL(name)(from, path, flags, mode); }
OPEN(open) OPEN(open64) OPEN_AT(openat) OPEN_AT(openat64)

ON_HANDLE(ssize_t, SPACE, write, (int handle, const void *b, size_t n), (handle, b, n))
ON_HANDLE(ssize_t, SPACE, pwrite, (int handle, const void *b, size_t n, off_t o), (handle, b, n, o))
ON_HANDLE(ssize_t, SPACE, pwrite64, (int handle, const void *b, size_t n, off64_t o), (handle, b, n, o))
ON_HANDLE(ssize_t, SPACE, writev, (int handle, const struct iovec *v, int n), (handle, v, n))
ON_HANDLE(int, SPACE, ftruncate, (int handle, off_t n), (handle, n))
ON_HANDLE(int, SPACE, ftruncate64, (int handle, off64_t n), (handle, n))
ON_HANDLE(int, SYNC, fsync, (int handle), (handle))
ON_HANDLE(int, SYNC, fdatasync, (int handle), (handle))
ON_HANDLE(ssize_t, READ, read, (int handle, void *b, size_t n), (handle, b, n))
ON_HANDLE(ssize_t, READ, pread, (int handle, void *b, size_t n, off_t o), (handle, b, n, o))
ON_HANDLE(ssize_t, READ, pread64, (int handle, void *b, size_t n, off64_t o), (handle, b, n, o))
ON_HANDLE(int, CHANGE, fchmod, (int handle, mode_t m), (handle, m))
ON_HANDLE(int, LOCK, flock, (int handle, int what), (handle, what))

ON_PATH(SPACE, mkdir, (const char *path, mode_t m), (path, m), path)
ON_PATH(SPACE, mkdirat, (int d, const char *path, mode_t m), (d, path, m), path)
ON_PATH(SPACE, link, (const char *from, const char *to), (from, to), to)
ON_PATH(SPACE, linkat, (int d, const char *from, int e, const char *to, int f), (d, from, e, to, f), to)
ON_PATH(CHANGE, rename, (const char *from, const char *to), (from, to), to)
ON_PATH(CHANGE, renameat, (int d, const char *from, int e, const char *to), (d, from, e, to), to)
ON_PATH(CHANGE, unlink, (const char *path), (path), path)
ON_PATH(CHANGE, unlinkat, (int d, const char *path, int f), (d, path, f), path)
ON_PATH(CHANGE, chmod, (const char *path, mode_t m), (path, m), path)
ON_PATH(CHANGE, fchmodat, (int d, const char *path, mode_t m, int f), (d, path, m, f), path)

static int is_lock(int what) {
    return what == F_SETLK || what == F_SETLKW || what == F_GETLK || what == F_OFD_SETLK;
}
#define CONTROL(name) \
    int name(int handle, int what, ...) { \
        va_list rest; va_start(rest, what); void *more = va_arg(rest, void *); va_end(rest); \
        return is_lock(what) && hits_open(LOCK, handle) ? -1 : REAL(name)(handle, what, more); }
CONTROL(fcntl) CONTROL(fcntl64)

#define MAP(name, offset) \
    void *name(void *a, size_t n, int p, int flags, int handle, offset o) { \
        return handle >= 0 && (flags & MAP_SHARED) && hits_open(MEMORY, handle) \
            ? MAP_FAILED : REAL(name)(a, n, p, flags, handle, o); }
MAP(mmap, off_t) MAP(mmap64, off64_t)
