package org.saevhadoop.mapreduce.parquet;

import java.nio.file.Path;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.io.LocalInputFile;

/** Reads rows with parquet-java. */
final class GroupReader extends ParquetReader.Builder<Group> {
  GroupReader(Path file) {
    super(new LocalInputFile(file));
  }

  @Override
  protected ReadSupport<Group> getReadSupport() {
    return new GroupReadSupport();
  }
}
