package org.saevhadoop.mapreduce.staging;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.spi.StreamAccess;
import org.saevhadoop.format.staged.StagedFolder;
import org.saevhadoop.format.staged.StagedRecord;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.io.MeteredFolder;
import org.saevhadoop.mapreduce.job.InputSpec;

/**
 * Catalogues, stages or compares parts of a stream, in a thread of this process or in a Hadoop
 * task.
 *
 * @param folder the folder of the staged parts
 */
record PartStaging(StreamAccess stream, InputSpec input, StagingPass pass, StoragePath folder) {
  /**
   * Reads one part.
   *
   * @param read the meter for the bytes that are read
   * @param files the folder of the task, whose files are moved to the folder of the staged parts
   * @param written accepts counts of bytes written
   * @param local a folder on the local disk for temporary files
   */
  void run(OpenPart opened, ByteMeter read, Folder files, LongConsumer written, Path local)
      throws IOException {
    // not on a local disk, where shards are unpacked in place
    StagedFolder target =
        StagedFolder.ofTask(
            files instanceof LocalFolder ? files : new MeteredFolder(files, new ByteMeter(written)),
            false);
    opened.meter(read);
    List<Input> inputs = List.copyOf(opened.inputs());
    StagedFolder staged = StagedFolder.of(folder.folder());
    if (pass.catalogues()) {
      stream.catalogue(opened.part(), inputs, input.format(), target, local);
    } else {
      stream.stage(
          opened.part(), inputs, input.format(), input.projection(), staged, target, local);
    }
    read.flush(); // Hadoop asks no reader for progress while closing it
    pass.commit(target, opened.part());
    String part = StagingPass.name(opened.part());
    StagedRecord record = target.record(part).orElseThrow();
    if (files instanceof LocalFolder) {
      written.accept(record.bytes());
    }
    if (pass.compares()) {
      staged.compare(part, record);
      for (String name : files.files().keySet()) {
        files.delete(name); // so that nothing is committed
      }
    }
  }
}
