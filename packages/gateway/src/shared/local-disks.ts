/**
 * Kinds of file systems (`statfs(2)`) that are on this machine: no call waits for another one, and times say when a file was
 * written last. A disk elsewhere has a clock and a memory of its own, and may hang.
 */
export const LOCAL_DISKS: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // btrfs
  0xf2f52010, // F2FS
  0x2fc12fc1, // ZFS
  0xca451a4e, // bcachefs
  0x01021994, // tmpfs
  0x794c7630, // overlayfs
]);
