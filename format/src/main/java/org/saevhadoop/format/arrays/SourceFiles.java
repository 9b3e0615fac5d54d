package org.saevhadoop.format.arrays;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
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
 * Sample metadata of files that are an example each, {@code {"source_file": "<name without
 * ending>"}}, and of arrays that are an example each, {@code {"source_array": "<name>"}}. If tokens
 * are examples, their position in the file or array is known too.
 *
 * @param groups the groups of the shards
 * @param isFile whether the dataset is one file, whose name is that of no example
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

  /** Returns whether a group is all that is in a file, one of several. */
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

  /** Returns the name of the file, or what identifies the example if that is in its path only. */
  private static String name(ExampleGroup group) {
    String path = group.first().file();
    String file = path.substring(path.lastIndexOf('/') + 1);
    String name = file.lastIndexOf('.') > 0 ? file.substring(0, file.lastIndexOf('.')) : file;
    return name.contains(group.example()) ? name : group.example();
  }
}
