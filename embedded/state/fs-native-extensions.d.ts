declare module 'fs-native-extensions' {
  /** Locks an open file exclusively; false when another open file has the lock. */
  export function tryLock(fd: number): boolean;
}
