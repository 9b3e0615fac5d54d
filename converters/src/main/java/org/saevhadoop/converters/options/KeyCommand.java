package org.saevhadoop.converters.options;

import java.util.List;

/** A command that has options of keys. */
public interface KeyCommand {
  /** Returns the keys, in the order in which the help lists their options. */
  List<KeyOptions.Group> keyGroups();

  /** Takes the options, which know what was typed once the command line is parsed. */
  void use(KeyOptions options);
}
