/*
 * A disk that fails as told, for the files of one directory. Preloaded into Postgres. A write that was not synced can be
 * undone: before each one, the bytes that it replaces go to a log of the file, which a sync empties.
 *
 * Names, links and truncations count as durable at once, with all that was written to the file before.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* As in faulty-disk.ts. */
enum { SOUND, FULL, SLOW, WRITES_FAIL, SYNCS_FAIL };

/* Shared with the proof. `figure`: of SLOW, ms before each sync; of the failing ones, one in so many. */
struct control {
  int32_t mode;
  int32_t figure;
};

/* Followed by the replaced bytes. */
struct undo {
  int64_t offset;
  int64_t length;
  int64_t size_before;
};

static const struct control sound = {SOUND, 0};
static const volatile struct control *control = &sound;
static const char *data_dir;
static const char *undo_dir;

/* A copy: Postgres shows its state where its first environment was. */
static const char *setting(const char *name) {
  const char *value = getenv(name);
  return value ? strdup(value) : NULL;
}

__attribute__((constructor)) static void prepare(void) {
  const char *file = getenv("FAULTY_DISK_CONTROL");
  data_dir = setting("FAULTY_DISK_DATA");
  undo_dir = setting("FAULTY_DISK_UNDO");
  int fd = file ? syscall(SYS_openat, AT_FDCWD, file, O_RDONLY | O_CLOEXEC, 0) : -1;
  if (fd < 0) return;
  void *mapped = mmap(NULL, sizeof(struct control), PROT_READ, MAP_SHARED, fd, 0);
  if (mapped != MAP_FAILED) control = mapped;
  syscall(SYS_close, fd);
}

/* By descriptor: the file that was found there last, and whether it is ours. */
static struct {
  dev_t device;
  ino_t inode;
  int is_ours;
} known[1024];

static int is_ours(int fd, struct stat *file) {
  if (!data_dir || !undo_dir || fstat(fd, file) != 0 || !S_ISREG(file->st_mode)) return 0;
  int is_kept = fd < (int)(sizeof known / sizeof *known);
  if (is_kept && known[fd].inode == file->st_ino && known[fd].device == file->st_dev) return known[fd].is_ours;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  size_t prefix = strlen(data_dir);
  int ours = length > (ssize_t)prefix && strncmp(path, data_dir, prefix) == 0 && path[prefix] == '/';
  if (is_kept) {
    known[fd].device = file->st_dev;
    known[fd].inode = file->st_ino;
    known[fd].is_ours = ours;
  }
  return ours;
}

static int is_struck(void) {
  static uint32_t state;
  if (state == 0) state = (uint32_t)getpid() * 2654435761u | 1;
  state = state * 1664525u + 1013904223u;
  return control->figure <= 1 || (state >> 8) % (uint32_t)control->figure == 0;
}

/* Its log, locked against the file's other writers and syncs until it is closed. */
static int open_undo(ino_t inode) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%lu", undo_dir, (unsigned long)inode);
  int fd = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  while (fd >= 0 && syscall(SYS_flock, fd, LOCK_EX) != 0 && errno == EINTR) continue;
  return fd;
}

static void close_undo(int fd) {
  int before = errno;
  syscall(SYS_close, fd);
  errno = before;
}

static ssize_t read_at(int fd, char *to, size_t length, off_t offset) {
  ssize_t got = syscall(SYS_pread64, fd, to, length, offset);
  if (got >= 0 || errno != EBADF) return got;
  /* Opened for writing only. */
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  int readable = syscall(SYS_openat, AT_FDCWD, link, O_RDONLY | O_CLOEXEC, 0);
  if (readable < 0) return -1;
  got = syscall(SYS_pread64, readable, to, length, offset);
  syscall(SYS_close, readable);
  return got;
}

/* Returns 0 once what the write replaces is in the log. */
static int remember(int log, int fd, const struct stat *file, off_t offset, size_t length) {
  size_t replaced = offset >= file->st_size ? 0 : (size_t)(file->st_size - offset);
  if (replaced > length) replaced = length;
  char *record = malloc(sizeof(struct undo) + replaced);
  if (!record) return -1;
  ssize_t got = replaced == 0 ? 0 : read_at(fd, record + sizeof(struct undo), replaced, offset);
  int failed = got < 0;
  if (!failed) {
    struct undo head = {offset, got, file->st_size};
    memcpy(record, &head, sizeof head);
    size_t whole = sizeof head + (size_t)got;
    failed = syscall(SYS_write, log, record, whole) != (ssize_t)whole;
  }
  free(record);
  return failed ? -1 : 0;
}

static ssize_t write_vector(int fd, const struct iovec *parts, int count, off_t offset) {
  return syscall(SYS_pwritev, fd, parts, count, (long)offset, 0L);
}

static ssize_t store(int fd, const struct iovec *parts, int count, off_t offset) {
  struct stat file;
  if (!is_ours(fd, &file)) return write_vector(fd, parts, count, offset);
  size_t length = 0;
  for (int part = 0; part < count; part++) length += parts[part].iov_len;
  if (control->mode == FULL && offset + (off_t)length > file.st_size) {
    errno = ENOSPC;
    return -1;
  }
  if (control->mode == WRITES_FAIL && is_struck()) {
    errno = EIO;
    return -1;
  }
  int log = open_undo(file.st_ino);
  ssize_t written = -1;
  errno = EIO;
  if (log >= 0 && fstat(fd, &file) == 0 && remember(log, fd, &file, offset, length) == 0)
    written = write_vector(fd, parts, count, offset);
  if (log >= 0) close_undo(log);
  return written;
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) { return store(fd, parts, count, offset); }

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t offset) { return store(fd, parts, count, offset); }

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  struct iovec part = {(void *)bytes, length};
  return store(fd, &part, 1, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t offset) { return pwrite(fd, bytes, length, offset); }

ssize_t write(int fd, const void *bytes, size_t length) {
  struct stat file;
  if (!is_ours(fd, &file)) return syscall(SYS_write, fd, bytes, length);
  int appends = fcntl(fd, F_GETFL) & O_APPEND;
  off_t offset = appends ? file.st_size : lseek(fd, 0, SEEK_CUR);
  struct iovec part = {(void *)bytes, length};
  ssize_t written = store(fd, &part, 1, offset);
  if (written > 0) lseek(fd, offset + written, SEEK_SET);
  return written;
}

int posix_fallocate(int fd, off_t offset, off_t length) {
  static int (*real)(int, off_t, off_t);
  if (!real) real = (int (*)(int, off_t, off_t))dlsym(RTLD_NEXT, "posix_fallocate");
  struct stat file;
  if (!is_ours(fd, &file) || offset + length <= file.st_size) return real(fd, offset, length);
  if (control->mode == FULL) return ENOSPC;
  int log = open_undo(file.st_ino);
  int failed = log < 0 || remember(log, fd, &file, file.st_size, 0) != 0 ? EIO : real(fd, offset, length);
  if (log >= 0) close_undo(log);
  return failed;
}

static int sync_file(long call, int fd) {
  struct stat file;
  if (!is_ours(fd, &file)) return syscall(call, fd);
  if (control->mode == SLOW) {
    struct timespec pause = {control->figure / 1000, control->figure % 1000 * 1000000L};
    nanosleep(&pause, NULL);
  }
  if (control->mode == SYNCS_FAIL && is_struck()) {
    errno = EIO;
    return -1;
  }
  int log = open_undo(file.st_ino);
  int failed = syscall(call, fd);
  if (log >= 0 && failed == 0) syscall(SYS_ftruncate, log, 0L);
  if (log >= 0) close_undo(log);
  return failed;
}

int fsync(int fd) { return sync_file(SYS_fsync, fd); }

int fdatasync(int fd) { return sync_file(SYS_fdatasync, fd); }

static void forget(const struct stat *file) {
  int log = open_undo(file->st_ino);
  if (log < 0) return;
  syscall(SYS_ftruncate, log, 0L);
  close_undo(log);
}

int ftruncate(int fd, off_t size) {
  struct stat file;
  int ours = is_ours(fd, &file);
  int failed = syscall(SYS_ftruncate, fd, size);
  if (ours && failed == 0) forget(&file);
  return failed;
}

int ftruncate64(int fd, off_t size) { return ftruncate(fd, size); }

static int open_file(const char *path, int flags, mode_t mode) {
  int is_inside = path[0] != '/' || (data_dir && strncmp(path, data_dir, strlen(data_dir)) == 0);
  if (!(flags & O_CREAT) || !is_inside) return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  if (control->mode == FULL) {
    int fd = syscall(SYS_openat, AT_FDCWD, path, flags & ~(O_CREAT | O_EXCL), 0);
    if (fd < 0 && errno == ENOENT) errno = ENOSPC;
    return fd;
  }
  int fd = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  struct stat file;
  /* A new file may have the number of one that was removed. */
  if (fd >= 0 && is_ours(fd, &file) && file.st_size == 0) forget(&file);
  return fd;
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_file(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_file(path, flags, mode);
}
