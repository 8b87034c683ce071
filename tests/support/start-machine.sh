#!/bin/sh
# A machine that is thrown away: what DISK holds, with changes kept in memory, and a systemd of its own. It shares the
# network. Run by unshare, in new namespaces: start-machine.sh DISK FOLDER; its root is FOLDER/root.
set -eu
# Some shells leave these out, and the programs for it lie there.
PATH=$PATH:/usr/sbin:/sbin
disk=$1 folder=$2
mount --make-rprivate /
mount -t tmpfs -o mode=755 changes "$folder"
mkdir "$folder/upper" "$folder/work" "$folder/root"
mount -t overlay -o "lowerdir=$disk,upperdir=$folder/upper,workdir=$folder/work" overlay "$folder/root"
cd "$folder/root"
mount -t proc proc proc
mount --rbind /sys sys
mount --rbind /dev dev
mount -t tmpfs -o mode=755 run run
mount -t tmpfs tmp tmp
mkdir -p run/lock etc/systemd/system
# What systemd would do to the kernel, which is not its own, and what that is not needed for.
for unit in lib/systemd/system/sysinit.target.wants/* etc/systemd/system/sysinit.target.wants/*; do
  case $unit in *'*' | *journal* | *tmpfiles-setup.service) ;; *) ln -sf /dev/null "etc/systemd/system/${unit##*/}" ;; esac
done
for unit in dev-hugepages.mount dev-mqueue.mount systemd-journal-flush.service systemd-remount-fs.service; do
  ln -sf /dev/null "etc/systemd/system/$unit"
done
export container=unshare
# Not chroot: in one, the kernel lets nobody have users of his own.
mkdir -p run/before
pivot_root . run/before
umount -l /run/before
exec /lib/systemd/systemd --unit=basic.target --show-status=no
