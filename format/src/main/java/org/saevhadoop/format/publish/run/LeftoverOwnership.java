package org.saevhadoop.format.publish.run;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.UUID;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.RunStorage.Entry;
import org.saevhadoop.format.storage.RunStorage.EntryKind;
import org.saevhadoop.format.storage.StoragePath;

/**
 * Checks that the folder of an interrupted run was written by the user of the present run;
 * otherwise another user could have data published in this user's name. All entries must be regular
 * files or folders, and all except the dataset that was being replaced must belong to the user. The
 * user is taken to be the owner of a file created next to the folder, because a storage can map
 * users, and files that the superuser creates belong to the superuser. Ownership is not checked on
 * storage systems without owners.
 *
 * @param trusted whether ownership checks are skipped
 * @param writes whether a file may be created; otherwise the storage is assumed not to map users
 */
record LeftoverOwnership(StoragePath folder, RunStorage storage, boolean trusted, boolean writes) {
  /** Returns a copy of this check with permission to create a file. */
  LeftoverOwnership writing() {
    return new LeftoverOwnership(folder, storage, trusted, true);
  }

  /**
   * Checks the folder and its entries without opening them.
   *
   * @throws FormatException if an entry is a link, a named pipe or the like, or belongs to another
   *     user
   * @throws FileNotFoundException if the folder was removed
   */
  void checkEntries() throws IOException {
    Entry itself = storage.entry(folder);
    if (itself.kind() != EntryKind.FOLDER) {
      return; // the check of the mark reports what is not the folder of a run
    }
    String user = user();
    checkOwner(folder, itself, user);
    for (Entry entry : storage.list(folder)) {
      StoragePath path = folder.child(entry.name());
      boolean holdsFiles = RunPaths.FOLDERS.contains(entry.name());
      checkKind(path, entry, holdsFiles ? EntryKind.FOLDER : EntryKind.FILE);
      if (!path.equals(RunPaths.replaced(folder))) {
        checkOwner(path, entry, user);
      }
    }
  }

  /**
   * Checks the files that the interrupted run has completed.
   *
   * @throws FormatException if a file is not regular or belongs to another user
   */
  void checkData() throws IOException {
    StoragePath data = RunPaths.data(folder);
    if (storage.kind(data) == EntryKind.FOLDER) {
      checkFiles(data, user());
    }
  }

  private void checkFiles(StoragePath parent, String user) throws IOException {
    for (Entry entry : storage.list(parent)) {
      StoragePath path = parent.child(entry.name());
      checkOwner(path, entry, user);
      if (entry.kind() == EntryKind.FOLDER) {
        checkFiles(path, user);
      } else {
        checkKind(path, entry, EntryKind.FILE);
      }
    }
  }

  private static void checkKind(StoragePath path, Entry entry, EntryKind expected)
      throws FormatException {
    FileError.NOT_REPLACEABLE.check(
        entry.kind() == expected || entry.kind() == EntryKind.ABSENT,
        path.shown(),
        "is not a regular %s (expected one that an interrupted run left behind, not a link or the"
            + " like)",
        expected == EntryKind.FOLDER ? "folder" : "file");
  }

  private void checkOwner(StoragePath path, Entry entry, String user) throws FormatException {
    String owner = user.isEmpty() ? user : entry.owner().get();
    FileError.NOT_OWNED.check(
        owner.equals(user),
        path.shown(),
        "belongs to the user %s (expected %s, who runs this command; --trust-run-folder accepts"
            + " leftovers from other users)",
        owner,
        user);
  }

  /** Returns the user as the storage names it; empty if owners are not checked. */
  private String user() throws IOException {
    if (trusted || !storage.hasFolders()) {
      return "";
    }
    if (!writes) {
      return storage.user();
    }
    StoragePath probe = folder.folderAbove().child("_" + UUID.randomUUID() + ".saev-hadoop-owner");
    storage.write(probe, new byte[0]);
    try {
      return storage.entry(probe).owner().get();
    } finally {
      storage.delete(probe);
    }
  }
}
