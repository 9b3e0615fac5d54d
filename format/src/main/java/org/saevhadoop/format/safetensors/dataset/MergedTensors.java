package org.saevhadoop.format.safetensors.dataset;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.write.CopiedFile;
import org.saevhadoop.format.dataset.write.Document;
import org.saevhadoop.format.dataset.write.MergePlan;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.safetensors.header.HeaderEncoder;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorInfo;

/**
 * The files of several datasets as the files of one dataset. Each header that this program writes
 * records the number of the first example in its file and the total number of examples, so each
 * file gets a new header; its tensors do not change.
 */
public final class MergedTensors {
  /** Marks a head that keeps the documents of its source, which are equal in all sources. */
  private static final String SAME = "same";

  /** Marks a head without documents, because the total length of all heads would be too large. */
  private static final String NONE = "none";

  /** The maximum total length of the documents in all heads, in characters. */
  private static final long MAX_DOCUMENTS = 16 << 20;

  private final List<SafetensorsTable> tables;
  private final TableDataset combined;
  private final String documents;

  private MergedTensors(List<SafetensorsTable> tables, TableDataset combined) {
    this.tables = tables;
    this.combined = combined;
    this.documents = documents();
  }

  /**
   * Returns the plan for copying the files.
   *
   * @param combined the combined dataset
   */
  public static MergePlan plan(List<SafetensorsTable> tables, TableDataset combined)
      throws IOException {
    MergedTensors merged = new MergedTensors(tables, combined);
    for (SafetensorsTable table : tables) {
      Optional<String> obstacle = merged.obstacle(table);
      if (obstacle.isPresent()) {
        return MergePlan.rewriting(table.path() + " " + obstacle.get());
      }
    }
    if (merged.areRenumbered()) {
      return MergePlan.rewriting("the ids of the examples change");
    }
    return merged.copies();
  }

  private boolean isMarked() {
    return TensorFiles.isMarked(tables.get(0).metadata());
  }

  /**
   * Returns the reason why the files of a dataset cannot be copied unchanged, as the end of a
   * sentence.
   */
  private Optional<String> obstacle(SafetensorsTable table) {
    SafetensorsTable first = tables.get(0);
    if (combined.table().examples() == 0) {
      return Optional.of("has no examples");
    }
    if (table.layout() != first.layout() || !table.separator().equals(first.separator())) {
      return Optional.of("does not have the layout of " + first.path());
    }
    boolean sameColumns =
        new BatchFile(0, table.table().columns(), List.of()).hasColumns(first.table().columns());
    if (!sameColumns) {
      return Optional.of("does not have the tensors and types of " + first.path());
    }
    if (!described(table.metadata()).equals(described(first.metadata()))) {
      return Optional.of("describes its tensors differently from " + first.path());
    }
    return Optional.empty();
  }

  /** Returns the metadata that describes the columns. */
  private static Map<String, String> described(Map<String, String> metadata) {
    Map<String, String> own = new HashMap<>();
    boolean isMarked = TensorFiles.isMarked(metadata);
    own.put(TensorFiles.EXAMPLES_KEY, "" + isMarked);
    FileMetadata.COLUMN_KEYS.forEach(key -> own.put(key, metadata.getOrDefault(key, "")));
    return own;
  }

  /** Returns whether keys must change, because numeric ids are positions in a dataset. */
  private boolean areRenumbered() throws IOException {
    boolean keyed = tables.get(0).layout() == TensorLayout.KV;
    if (!keyed || combined.ids().isPresent()) {
      return false;
    }
    return tables.size() > 1 || !tables.get(0).ids().orElseThrow().areNumbers();
  }

  private MergePlan copies() throws IOException {
    MergePlan.Copies copies = new MergePlan.Copies(combined.sampleMetadata().isPresent());
    List<DatasetManifest.Entry> entries = new ArrayList<>();
    List<TensorInfo> schema = List.of();
    String uuid = uuid();
    long first = 0;
    for (int source = 0; source < tables.size(); source++) {
      SafetensorsTable table = tables.get(source);
      SortedMap<String, Long> there = table.folder().files();
      for (Shard shard : table.shards()) {
        if (shard.examples() == 0) {
          continue;
        }
        try (Input file = table.folder().open(shard.name())) {
          SafetensorsHeader header = SafetensorsHeader.read(file);
          if (isMarked() && header.metadata() == null) {
            return MergePlan.rewriting(file.path() + " has no metadata");
          }
          long rows = rows(table, shard, file.path(), header);
          if (rows > shard.examples() && source < tables.size() - 1) {
            return MergePlan.rewriting(
                Quote.sentence(
                    "%s ends with %d examples of padding", table.path(), rows - shard.examples()));
          }
          String to =
              "part-%05d-0000-%s%s".formatted(entries.size(), uuid, SafetensorsTable.SUFFIX);
          CopiedFile copy = copy(source, shard, to, header, first);
          copies.add(copy, there);
          entries.add(new DatasetManifest.Entry(to, rows, copy.length()));
          schema = schema.isEmpty() ? List.copyOf(header.tensors()) : schema;
        }
        first += shard.examples();
      }
    }
    boolean batch = tables.get(0).layout() == TensorLayout.BATCH;
    byte[] manifest = new DatasetManifest(entries).text(batch ? schema : null);
    return MergePlan.of(
            copies.list(), written -> List.of(new Document(DatasetManifest.FILE, manifest)))
        .losing(documents.equals(NONE) ? MergePlan.differing(provenance()) : List.of());
  }

  /**
   * Returns the number of examples in a file, including padding. Keyed files were already checked
   * when their ids were read to find duplicates.
   */
  private static long rows(
      SafetensorsTable table, Shard shard, String path, SafetensorsHeader header)
      throws FormatException {
    return table.layout() == TensorLayout.KV
        ? shard.examples() + TensorFiles.padding(header.metadata())
        : FileLayout.of(path, header, table.layout(), table.separator()).examples();
  }

  /** Returns the part of the file names that is equal for equal sources in the same order. */
  private String uuid() {
    StringBuilder identity = new StringBuilder();
    for (SafetensorsTable table : tables) {
      for (Shard shard : table.shards()) {
        identity.append(shard.name()).append('|').append(shard.bytes()).append('|');
      }
    }
    return UUID.nameUUIDFromBytes(identity.toString().getBytes(StandardCharsets.UTF_8)).toString();
  }

  private CopiedFile copy(
      int source, Shard shard, String to, SafetensorsHeader header, long firstExample)
      throws IOException {
    if (!isMarked()) {
      return new CopiedFile(source, shard.name(), to, shard.bytes());
    }
    String head = "%d %d %s".formatted(firstExample, combined.table().examples(), documents);
    long data = shard.bytes() - header.dataStart();
    long length = head(header, head).remaining() + data;
    return new CopiedFile(source, shard.name(), to, head, header.dataStart(), data, length);
  }

  private Stream<Provenance> provenance() {
    return tables.stream().map(table -> FileMetadata.provenance(table.metadata()));
  }

  /**
   * Returns the documents of the combined dataset in Base64, which each head contains, or {@link
   * #SAME} if all datasets have the same documents.
   */
  private String documents() {
    if (provenance().distinct().count() == 1) {
      return SAME;
    }
    Provenance all =
        combined instanceof ActivationDataset activations
            ? activations.activations().provenance()
            : FileMetadata.provenance(tables.get(0).metadata());
    String encoded =
        all.documents().entrySet().stream()
            .map(document -> encode(document.getKey()) + ":" + encode(document.getValue()))
            .collect(Collectors.joining(","));
    long files = tables.stream().mapToLong(table -> table.shards().size()).sum();
    return encoded.isEmpty() || encoded.length() > MAX_DOCUMENTS / files ? NONE : encoded;
  }

  private static String encode(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String decode(String text) {
    return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
  }

  /** Returns the beginning of a copy, up to its tensors. */
  public static ByteBuffer head(Input file, String head) throws IOException {
    return head(SafetensorsHeader.read(file), head);
  }

  private static ByteBuffer head(SafetensorsHeader header, String head) {
    String[] parts = head.split(" ");
    Map<String, String> metadata = new HashMap<>(Objects.requireNonNull(header.metadata()));
    metadata.put(TensorFiles.FIRST_EXAMPLE_KEY, parts[0]);
    metadata.put(TensorFiles.EXAMPLES_KEY, parts[1]);
    if (!parts[2].equals(SAME)) {
      metadata.keySet().removeAll(FileMetadata.provenance(metadata).documents().keySet());
    }
    for (String document : parts[2].split(",")) {
      int cut = document.indexOf(':');
      if (cut >= 0) {
        metadata.put(decode(document.substring(0, cut)), decode(document.substring(cut + 1)));
      }
    }
    long alignment = Math.min(Long.lowestOneBit(header.dataStart()), HeaderEncoder.MAX_ALIGNMENT);
    return header.with(metadata, Math.max(HeaderEncoder.ALIGNMENT, (int) alignment));
  }
}
