package org.saevhadoop.format.staged;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The state of all files in a folder of staged data, determined from the records alone.
 *
 * @param complete the parts that are complete, by name
 * @param findings a line for each file that differs from its record
 */
record StagedSurvey(SortedMap<String, StagedRecord> complete, List<String> findings) {
  static StagedSurvey of(StagedFolder folder) throws IOException {
    StagedSurvey survey = new StagedSurvey(new TreeMap<>(), new ArrayList<>());
    SortedMap<String, Long> files = folder.files();
    for (String part : folder.parts()) {
      Optional<StagedRecord> record = folder.record(part);
      if (record.isEmpty()) {
        String path = folder.path(StagedName.record(part));
        survey.findings.add(path + ": is not a complete record; its part is staged again");
      } else if (survey.isComplete(folder, record.get(), files)) {
        survey.complete.put(part, record.get());
      }
    }
    for (String name : files.keySet()) {
      if (survey.isForeign(folder, name)) {
        survey.findings.add(folder.path(name) + ": belongs to no complete part and is not read");
      }
    }
    return survey;
  }

  private boolean isComplete(
      StagedFolder folder, StagedRecord record, SortedMap<String, Long> files) {
    boolean complete = true;
    for (StagedFile file : record.files()) {
      Long length = files.get(file.name());
      if (length == null || length != file.length()) {
        findings.add(folder.otherLength(file, length).getMessage() + "; its part is staged again");
        complete = false;
      }
    }
    return complete;
  }

  /** Returns whether a file belongs to no part, not even to a part that will be staged again. */
  private boolean isForeign(StagedFolder folder, String name) throws IOException {
    String part = StagedName.number(name);
    if (part.isEmpty() || StagedName.isRecord(name) || StagedName.isDamage(name)) {
      return false;
    }
    boolean isIncomplete = folder.parts().contains(part) && !complete.containsKey(part);
    return !isIncomplete && folder.partOf(name) == null;
  }
}
