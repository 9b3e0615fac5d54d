package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.parquet.RowFiles.Run;

/** The ids of a dataset, in files of staged row groups. The ids of the last file are cached. */
final class StagedIds implements ExampleIds {
  private final Folder staged;
  private final List<Run> runs;
  private List<String> last = List.of();
  private int lastRun = -1;

  /** The content of a file of ids. */
  private record Document(List<String> ids) {}

  /**
   * Creates the ids of a dataset.
   *
   * @param runs the files, in the order of their examples
   */
  StagedIds(Folder staged, List<Run> runs) {
    this.staged = staged;
    this.runs = runs;
  }

  static void write(Folder target, String file, List<String> ids) throws IOException {
    Jackson.write(target, file, new Document(ids));
  }

  private List<String> ids(int run) throws IOException {
    if (run != lastRun) {
      last = Jackson.read(staged, runs.get(run).file(), Document.class).ids();
      lastRun = run;
    }
    return last;
  }

  @Override
  public List<String> ids(long first, long count) throws IOException {
    List<String> found = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      Run run = runs.get(i);
      long start = Math.max(first, run.first());
      long end = Math.min(first + count, run.first() + run.examples());
      if (start < end) {
        found.addAll(ids(i).subList((int) (start - run.first()), (int) (end - run.first())));
      }
    }
    return found;
  }

  @Override
  public int maxBytes() throws IOException {
    int most = 1;
    for (int i = 0; i < runs.size(); i++) {
      for (String id : ids(i)) {
        most = Math.max(most, Jackson.MAPPER.writeValueAsBytes(id).length - 2);
      }
    }
    return most;
  }

  @Override
  public boolean areNumbers() throws IOException {
    for (int i = 0; i < runs.size(); i++) {
      long example = runs.get(i).first();
      for (String id : ids(i)) {
        if (!id.equals(Long.toString(example++))) {
          return false;
        }
      }
    }
    return true;
  }
}
