package org.saevhadoop.format.arrays;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.ShardSlice;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.json.JsonEscapes;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;

/**
 * Sample metadata for files that each contain one example, {@code {"source_file": "<name without
 * ending>"}}, and for arrays that are each one example, {@code {"source_array": "<name>"}}. If
 * tokens are examples, their positions in the file or array are also known.
 *
 * @param groups the groups of the shards
 * @param isFile whether the dataset is one file, whose name does not denote an example
 */
record SourceFiles(Shards shards, SurveyedGroups groups, RaggedPolicy ragged, boolean isFile)
    implements SampleMetadata {
  private static final String FILE = "source_file";
  private static final String ARRAY = "source_array";

  /** Returns whether a group is one example that has a name. */
  boolean isExample(int shard) throws IOException {
    return (isOnly(shard) || !groups.get(shard).example().isEmpty())
        && groups.get(shard).storedExamples() == 1;
  }

  /**
   * Returns whether a group is the only group in its file, in a dataset that is not a single file.
   */
  private boolean isOnly(int shard) {
    return !isFile
        && (shard == 0 || !isSameFile(shard, shard - 1))
        && (shard + 1 == shards.size() || !isSameFile(shard, shard + 1));
  }

  private boolean isSameFile(int shard, int other) {
    return groups.firstFile(other).equals(groups.firstFile(shard));
  }

  @Override
  public SampleMetadataCursor cursor(long first, long count) {
    long end = first + Math.min(count, shards.examples() - Math.min(first, shards.examples()));
    return new SampleMetadataCursor() {
      private long at = first;
      private Iterator<ExampleMetadata> lines = List.<ExampleMetadata>of().iterator();

      @Override
      public @Nullable ExampleMetadata next() throws IOException {
        while (!lines.hasNext() && at < end) {
          int index = shards.indexOf(at);
          Shard shard = shards.get(index);
          long some = Math.min(end, shard.end()) - at;
          lines = lines(new ShardSlice(index, shard, at - shard.first(), some)).iterator();
          at += some;
        }
        return lines.hasNext() ? lines.next() : null;
      }
    };
  }

  private List<ExampleMetadata> lines(ShardSlice slice) throws IOException {
    if (!isExample(slice.index())) {
      return List.of();
    }
    ExampleGroup group = groups.get(slice.index());
    boolean isOnly = isOnly(slice.index());
    StringBuilder sample = new StringBuilder("{\"" + (isOnly ? FILE : ARRAY) + "\": ");
    JsonEscapes.ASCII.quote(isOnly ? name(group) : group.example(), sample);
    String text = sample.append('}').toString();
    long example = slice.shard().first();
    if (!ragged.isFlattening()) {
      return List.of(new ExampleMetadata(example, text));
    }
    List<ExampleMetadata> lines = new ArrayList<>();
    for (IndexRange run : group.ranges(0)) {
      ExampleMetadata all = new ExampleMetadata(example, run.length(), run.start(), text);
      ExampleMetadata part =
          all.part(
              slice.shard().first() + slice.start(),
              slice.shard().first() + slice.start() + slice.examples());
      if (part != null) {
        lines.add(part);
      }
      example += run.length();
    }
    return lines;
  }

  /** Returns the name of the file, or the part of its path that identifies the example. */
  private static String name(ExampleGroup group) {
    String path = group.first().file();
    String file = path.substring(path.lastIndexOf('/') + 1);
    String name = file.lastIndexOf('.') > 0 ? file.substring(0, file.lastIndexOf('.')) : file;
    return name.contains(group.example()) ? name : group.example();
  }

  /**
   * Sample metadata that files store for their examples. If tokens are examples, each token has the
   * metadata of the stored example that contains it, and its position in that example.
   *
   * @param groups the groups of the shards
   */
  record OfExamples(Shards shards, SurveyedGroups groups, RaggedPolicy ragged)
      implements SampleMetadata {
    @Override
    public SampleMetadataCursor cursor(long first, long count) {
      long end = first + Math.min(count, shards.examples() - Math.min(first, shards.examples()));
      return new Cursor(first, end);
    }

    private final class Cursor implements SampleMetadataCursor {
      private final long first;
      private final long end;
      private final Queue<ExampleMetadata> lines = new ArrayDeque<>();
      private @Nullable StoredMetadata metadata;
      private @Nullable StoredExamples stored;
      private long next;

      Cursor(long first, long end) {
        this.first = first;
        this.end = end;
        this.next = first;
      }

      @Override
      public @Nullable ExampleMetadata next() throws IOException {
        while (lines.isEmpty()) {
          if (stored != null && stored.number < end && stored.addNext()) {
            continue;
          }
          if (next >= end) {
            close();
            return null;
          }
          int index = shards.indexOf(next);
          stored = new StoredExamples(index, shards.get(index));
          next = shards.get(index).end();
        }
        return lines.remove();
      }

      private StoredMetadata metadata(int shard, long example) throws IOException {
        String file = groups.firstFile(shard);
        StoredMetadata open = metadata;
        if (open != null && open.continuesAt(file, example)) {
          return open;
        }
        close();
        SampleMetadata samples = groups.samples(shard).orElse(SampleMetadata.NONE);
        open = new StoredMetadata(file, samples.cursor(example, Long.MAX_VALUE - example));
        metadata = open;
        return open;
      }

      @Override
      public void close() throws IOException {
        StoredMetadata closing = metadata;
        metadata = null;
        stored = null;
        if (closing != null) {
          closing.cursor.close();
        }
      }

      private final class StoredExamples {
        private final ExampleGroup group;
        private final StoredMetadata metadata;
        private final long firstStored;

        /** The index of the next stored example in the group. */
        private long index;

        /** The number of the first example in the dataset that comes from this stored example. */
        private long number;

        StoredExamples(int shard, Shard examples) throws IOException {
          this.group = groups.get(shard);
          this.firstStored = groups.firstStored(shard);
          this.number = examples.first();
          while (number + examples(index) <= first) {
            number += examples(index);
            index++;
          }
          this.metadata = metadata(shard, firstStored + index);
        }

        private long examples(long stored) {
          return ragged.isFlattening() ? group.length(stored) : 1;
        }

        /** Adds the metadata of the next stored example; returns false if there is none. */
        boolean addNext() throws IOException {
          ExampleMetadata line =
              metadata.next(firstStored + index, firstStored + group.storedExamples());
          if (line == null) {
            return false;
          }
          for (; firstStored + index < line.first(); index++) {
            number += examples(index);
          }
          if (ragged.isFlattening()) {
            long at = number;
            for (IndexRange run : group.ranges(index)) {
              add(new ExampleMetadata(at, run.length(), run.start(), line.sample()));
              at += run.length();
            }
          } else {
            add(line.from(number));
          }
          number += examples(index);
          index++;
          return true;
        }

        private void add(ExampleMetadata line) {
          ExampleMetadata part = line.part(first, end);
          if (part != null) {
            lines.add(part);
          }
        }
      }
    }
  }

  /** Sample metadata of a file; the groups of the file read it one after another. */
  private static final class StoredMetadata {
    private final String file;
    private final SampleMetadataCursor cursor;
    private @Nullable ExampleMetadata ahead;

    /** The end of the stored examples whose metadata has been read. */
    private long end;

    StoredMetadata(String file, SampleMetadataCursor cursor) {
      this.file = file;
      this.cursor = cursor;
    }

    boolean continuesAt(String other, long example) {
      return file.equals(other) && example >= end;
    }

    /** Returns the next metadata in a range of stored examples; null if there is none. */
    @Nullable ExampleMetadata next(long from, long to) throws IOException {
      end = to;
      ExampleMetadata found = null;
      while (found == null) {
        ahead = ahead == null ? cursor.next() : ahead;
        if (ahead == null || ahead.first() >= to) {
          return null;
        }
        found = ahead.part(from, to);
        ahead = ahead.part(to, ahead.end());
      }
      return found;
    }
  }
}
