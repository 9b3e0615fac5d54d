package org.saevhadoop.format.staged;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.ForwardingFolder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.io.Quote;

/**
 * A folder of staged data. A new file belongs to a part only after {@link #commit} has written the
 * record of the part, and only files of parts can be opened. The bytes of a staged file are
 * compared with the record of its part when they are read, unless the file contains its own
 * checksums. Threads may share a folder for reading.
 */
public final class StagedFolder extends ForwardingFolder {
  /**
   * Size of a unit, small enough for reading single vectors and large enough for efficient disk
   * reads.
   */
  private static final long UNIT_BYTES = 1 << 16;

  /** The unit of files that contain their own checksums. */
  private static final long WHOLE = Long.MAX_VALUE;

  private static final int MAX_RECORD_BYTES = 1 << 28;
  private static final int MAX_NAME_BYTES = 1 << 10;
  private static final int MAX_WARNINGS = 20;

  private final long unit;
  private final boolean isNew;
  private final Map<String, StagedFile> written = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<String> spools = new ConcurrentLinkedQueue<>();
  private final Map<String, Optional<StagedRecord>> records = new ConcurrentHashMap<>();
  private @Nullable SortedSet<String> parts;

  private StagedFolder(Folder folder, long unit, boolean isNew) {
    super(folder);
    this.unit = unit;
    this.isNew = isNew;
  }

  /** Returns a folder of parts. New files replace files that an interrupted run left behind. */
  public static StagedFolder of(Folder folder) {
    return folder instanceof StagedFolder staged
        ? staged
        : new StagedFolder(folder, UNIT_BYTES, false);
  }

  /**
   * Returns a new folder, in which a task creates the files of a part.
   *
   * @param checkThemselves whether the files contain checksums that their readers verify
   */
  public static StagedFolder ofTask(Folder folder, boolean checkThemselves) {
    return new StagedFolder(folder, checkThemselves ? WHOLE : UNIT_BYTES, true);
  }

  /** Returns those file names that are names of records. */
  public static SortedSet<String> records(Iterable<String> names) {
    SortedSet<String> records = new TreeSet<>();
    for (String name : names) {
      if (StagedName.isRecord(name)) {
        records.add(name);
      }
    }
    return records;
  }

  /** Returns the names of the parts that have a record, even if the record is incomplete. */
  public synchronized SortedSet<String> parts() throws IOException {
    if (parts == null) {
      parts =
          records(folder().files().keySet()).stream()
              .map(StagedName::partOfRecord)
              .collect(Collectors.toCollection(TreeSet::new));
    }
    return parts;
  }

  /**
   * Returns the record of a part, with the lengths and the checksums of its files; empty if the
   * part has no complete record.
   */
  public Optional<StagedRecord> record(String part) throws IOException {
    Optional<StagedRecord> known = records.get(part);
    if (known == null) {
      try {
        known = StagedRecord.parse(folder().readSmall(StagedName.record(part), MAX_RECORD_BYTES));
      } catch (FormatException e) {
        if (!isGone(e)) {
          throw e;
        }
        known = Optional.empty();
      }
      records.put(part, known);
    }
    return known;
  }

  private static boolean isGone(FormatException e) {
    return e.kind() == FileError.NOT_FOUND
        || e.kind() == FileError.NOT_A_FILE
        || e.kind() == FileError.TOO_LARGE;
  }

  /** Returns the parts that are complete, by name. */
  public SortedMap<String, StagedRecord> complete() throws IOException {
    return StagedSurvey.of(this).complete();
  }

  /**
   * Returns the parts that are complete, by name, and removes the records of all other parts.
   *
   * @param warnings accepts a line for each file that differs from its record
   */
  public SortedMap<String, StagedRecord> keepComplete(Consumer<String> warnings)
      throws IOException {
    StagedSurvey survey = StagedSurvey.of(this);
    survey.findings().stream().limit(MAX_WARNINGS).forEach(warnings);
    int more = survey.findings().size() - MAX_WARNINGS;
    if (more > 0) {
      warnings.accept(
          Quote.sentence("%s: %d more files differ from the data that was staged", path(), more));
    }
    for (String part : parts()) {
      if (!survey.complete().containsKey(part)) {
        forget(part);
      }
    }
    return survey.complete();
  }

  FormatException otherLength(StagedFile file, @Nullable Long length) {
    return length == null
        ? StagedError.DAMAGED.in(path(file.name()), "is missing (expected %d bytes)", file.length())
        : StagedError.DAMAGED.in(
            path(file.name()), "has %d bytes (expected %d)", length, file.length());
  }

  /** Returns the part whose record lists a file; null if there is none. */
  @Nullable String partOf(String name) throws IOException {
    String number = StagedName.number(name);
    if (!number.isEmpty() && hasRecorded(number, name)) {
      return number;
    }
    for (String part : parts()) {
      if (!StagedName.isNumber(part) && hasRecorded(part, name)) {
        return part;
      }
    }
    return null;
  }

  private boolean hasRecorded(String part, String name) throws IOException {
    return record(part).flatMap(record -> record.file(name)).isPresent();
  }

  /**
   * Opens a file of a part.
   *
   * @throws FormatException if no record lists the file, or if the file does not have the recorded
   *     length; reading the file fails if its bytes have changed
   */
  @Override
  public Input open(String name) throws IOException {
    String part = partOf(name);
    StagedFile file = part == null ? null : record(part).orElseThrow().file(name).orElseThrow();
    if (file == null) {
      throw removed(name, StagedError.DAMAGED.in(path(name), "belongs to no complete part"));
    }
    Input opened = openRaw(name);
    long length = opened.length();
    if (length != file.length()) {
      opened.close();
      throw removed(name, otherLength(file, length));
    }
    return file.unit() == WHOLE ? opened : new CheckedUnits(opened, file, at -> damaged(name, at));
  }

  /** Opens a file that contains its own checksums, without using its record. */
  public Input openRaw(String name) throws IOException {
    try {
      return folder().open(name);
    } catch (FormatException e) {
      throw isGone(e)
          ? removed(name, StagedError.DAMAGED.in(path(name), "is missing")).causedBy(e)
          : e;
    }
  }

  /**
   * Removes the record of the part to which a damaged file belongs, so that the part is staged
   * again.
   *
   * @return the error about the data that was read
   */
  public FormatException damaged(String name, long position) {
    return removed(
        name,
        StagedError.DAMAGED.in(
            path(name),
            "differs from the data that was written, at byte %d (expected the recorded CRC-32C)",
            position));
  }

  /**
   * Compares a part with another record that was made from the same source.
   *
   * @throws FormatException if a file differs; the record of the part is then removed
   */
  public void compare(String part, StagedRecord other) throws IOException {
    SortedSet<String> names = new TreeSet<>();
    other.files().forEach(file -> names.add(file.name()));
    Optional<StagedRecord> recorded = record(part);
    recorded.ifPresent(own -> own.files().forEach(file -> names.add(file.name())));
    for (String name : names) {
      Optional<StagedFile> file = recorded.flatMap(own -> own.file(name));
      if (!file.equals(other.file(name))) {
        throw removed(
            name,
            StagedError.DAMAGED.in(
                path(name), "differs from the data that a second read of the source returned"));
      }
    }
  }

  private FormatException removed(String name, FormatException error) {
    String part = null;
    try {
      part = partOf(name);
    } catch (IOException e) {
      error.addSuppressed(e);
    }
    if (part == null) {
      part = StagedName.number(name).isEmpty() ? name : StagedName.number(name);
    }
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    try (Output out = folder().create(StagedName.damage(part))) {
      out.write(ByteBuffer.wrap(text));
    } catch (IOException e) { // among other reasons, because another reader has found the damage
      error.addSuppressed(e);
    }
    try {
      forget(part);
    } catch (IOException e) {
      error.addSuppressed(e);
    }
    return error;
  }

  /** Removes the record of a part. */
  public void forget(String part) throws IOException {
    folder().delete(StagedName.record(part));
    records.remove(part);
    synchronized (this) {
      parts = null;
    }
  }

  /**
   * Returns the names of the files in which readers have found damage since the last call, and
   * deletes all files of their parts, which will be staged again.
   */
  public List<String> takeDamaged() throws IOException {
    List<String> damaged = new ArrayList<>();
    Set<String> numbers = new HashSet<>();
    SortedSet<String> names = new TreeSet<>(folder().files().keySet());
    for (String name : names) {
      if (StagedName.isDamage(name)) {
        String file = new String(folder().readSmall(name, MAX_NAME_BYTES), StandardCharsets.UTF_8);
        damaged.add(file);
        numbers.add(StagedName.number(file));
        folder().delete(name);
      }
    }
    for (String name : names) {
      String number = StagedName.number(name);
      boolean isOfPart = !number.isEmpty() && numbers.contains(number);
      if (isOfPart && !StagedName.isRecord(name) && partOf(name) == null) {
        folder().delete(name);
      }
    }
    return damaged;
  }

  /**
   * Waits until all files that were created and closed are on the disk, if the folder forces files
   * to the disk, and writes the record of these files.
   */
  public void commit(String part, String content) throws IOException {
    for (String name : spools) {
      try (Input file = folder().open(name)) {
        written.put(name, StagedFile.of(name, file, unit));
      }
    }
    List<StagedFile> files = new ArrayList<>(written.values());
    files.sort(Comparator.comparing(StagedFile::name));
    StagedRecord record = new StagedRecord(ProgramVersion.text(), content, files);
    folder().awaitForced();
    if (!isNew) {
      folder().delete(StagedName.record(part));
    }
    try (Output out = folder().create(StagedName.record(part))) {
      out.write(ByteBuffer.wrap(record.toBytes()));
    }
    folder().awaitForced();
    written.clear();
    spools.clear();
    records.put(part, Optional.of(record));
    synchronized (this) {
      parts = null;
    }
  }

  @Override
  public String path(String name) {
    return folder().path(name);
  }

  @Override
  public Output create(String name) throws IOException {
    if (!isNew) {
      folder().delete(name);
    }
    return new Recorded(folder().create(name), name, new UnitChecksums(unit));
  }

  @Override
  public Optional<LocalSpool> createSpool(String name) throws IOException {
    Optional<LocalSpool> created = folder().createSpool(name);
    created.ifPresent(spool -> spools.add(name));
    return created;
  }

  private final class Recorded implements Output.Filter {
    private final Output file;
    private final String name;
    private final UnitChecksums sums;

    Recorded(Output file, String name, UnitChecksums sums) {
      this.file = file;
      this.name = name;
      this.sums = sums;
    }

    @Override
    public Output file() {
      return file;
    }

    @Override
    public void write(ByteBuffer src) throws IOException {
      sums.update(src.duplicate());
      file.write(src);
    }

    @Override
    public void close() throws IOException {
      file.close();
      written.computeIfAbsent(name, sums::of);
    }
  }
}
