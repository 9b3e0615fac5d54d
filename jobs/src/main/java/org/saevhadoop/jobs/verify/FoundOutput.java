package org.saevhadoop.jobs.verify;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.saevhadoop.jobs.task.TaskRecords;

/**
 * The output of the tasks of a verification. Hashes that no reducer has received are compared here,
 * bucket by bucket; only the positions of their records are in memory.
 *
 * @param columns the number of columns
 * @param buckets the number of buckets of each column
 */
record FoundOutput(int columns, long buckets) implements TaskRecords.Collector<FoundParts> {
  /** A record of hashes: its bucket, and its position in the output of a task. */
  private record Position(long bucket, int task, long offset) {}

  @Override
  public FoundParts collect(TaskRecords tasks) throws IOException {
    FoundParts found = FoundParts.none(columns);
    List<Position> hashes = new ArrayList<>();
    for (int task = 0; task < tasks.tasks(); task++) {
      try (TaskRecords.Cursor cursor = tasks.open(task)) {
        for (long at = cursor.position(); cursor.next(); at = cursor.position()) {
          if (cursor.key() < 0) {
            found.add(cursor.key(), cursor.value());
          } else {
            hashes.add(new Position(cursor.key(), task, at));
          }
        }
      }
    }
    hashes.sort(Comparator.comparingLong(Position::bucket)); // stable: task by task
    compare(hashes, tasks, found);
    return found;
  }

  private void compare(List<Position> records, TaskRecords tasks, FoundParts found)
      throws IOException {
    HashTable hashes = new HashTable();
    int i = 0;
    while (i < records.size()) {
      long bucket = records.get(i).bucket();
      int task = records.get(i).task();
      try (TaskRecords.Cursor cursor = tasks.open(task)) {
        for (; isIn(records, i, bucket, task); i++) {
          cursor.seek(records.get(i).offset());
          cursor.next();
          hashes.add(cursor.value());
        }
      }
      if (i == records.size() || records.get(i).bucket() != bucket) {
        found.columns().get((int) (bucket / buckets)).add(hashes.duplicates());
        hashes = new HashTable();
      }
    }
  }

  private static boolean isIn(List<Position> records, int i, long bucket, int task) {
    return i < records.size() && records.get(i).bucket() == bucket && records.get(i).task() == task;
  }
}
