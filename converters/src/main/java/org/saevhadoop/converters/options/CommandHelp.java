package org.saevhadoop.converters.options;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_DESCRIPTION;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_DESCRIPTION_HEADING;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_FOOTER;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_FOOTER_HEADING;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_OPTION_LIST;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_SYNOPSIS;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_SYNOPSIS_HEADING;

import java.util.List;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * The help of a command, with its options in sections: {@code --help} shows a line or two for each
 * everyday option, {@code --help-all} shows all options in full. Both are 80 columns wide on any
 * terminal, because longer lines are harder to read.
 */
public final class CommandHelp implements IHelpSectionRenderer {
  /** The name of the help option that asks for all options. */
  public static final String ALL = "--help-all";

  private static final String SECTION_KEY_HINT = "hint";
  private static final int USAGE_WIDTH = 27;

  private final CommandSpec command;
  private final List<KeyOptions.Group> groups;

  private CommandHelp(CommandSpec command, List<KeyOptions.Group> groups) {
    this.command = command;
    this.groups = groups;
  }

  /** Returns the sections, which are built on demand because help is rarely requested. */
  private List<OptionSection> sections() {
    return OptionSection.of(command, groups);
  }

  /**
   * Sets the help of a command, whose options must have been added.
   *
   * @param groups the keys that its options set
   */
  public static void set(CommandLine command, List<KeyOptions.Group> groups) {
    CommandHelp text = new CommandHelp(command.getCommandSpec(), groups);
    command.getHelpSectionMap().put(SECTION_KEY_OPTION_LIST, text);
    command.getHelpSectionMap().put(SECTION_KEY_HINT, help -> text.hint());
    // there are about fifty options; commands with required options define their own synopsis
    command.getCommandSpec().usageMessage().abbreviateSynopsis(true);
    command.setHelpSectionKeys(
        List.of(
            SECTION_KEY_SYNOPSIS_HEADING,
            SECTION_KEY_SYNOPSIS,
            SECTION_KEY_DESCRIPTION_HEADING,
            SECTION_KEY_DESCRIPTION,
            SECTION_KEY_COMMAND_LIST_HEADING,
            SECTION_KEY_COMMAND_LIST,
            SECTION_KEY_OPTION_LIST,
            SECTION_KEY_FOOTER_HEADING,
            SECTION_KEY_FOOTER,
            SECTION_KEY_HINT));
  }

  private boolean isForAll() {
    ParseResult typed = command.root().commandLine().getParseResult();
    return typed != null && typed.originalArgs().contains(ALL);
  }

  /** Returns the commands that the help of a program lists. */
  static List<CommandLine> commands(CommandLine root) {
    return root.getSubcommands().values().stream()
        .filter(command -> !command.getCommandSpec().usageMessage().hidden())
        .toList();
  }

  /** Returns the sections of a command whose help was {@link #set}. */
  static List<OptionSection> sections(CommandLine command) {
    Object help = command.getHelpSectionMap().get(SECTION_KEY_OPTION_LIST);
    return ((CommandHelp) Objects.requireNonNull(help)).sections();
  }

  /** Returns the options that are shown. */
  @Override
  public String render(Help help) {
    boolean all = isForAll();
    StringBuilder text = new StringBuilder();
    for (OptionSection section : sections()) {
      List<OptionLine> shown =
          section.lines().stream().filter(line -> all || line.everyday()).toList();
      if (!shown.isEmpty()) {
        Text heading = help.ansi().text("@|bold " + section.heading() + ":|@");
        text.append("%n%s%n%s".formatted(heading, table(shown, all, help)));
      }
    }
    return text.toString();
  }

  private TextTable table(List<OptionLine> lines, boolean all, Help help) {
    int width = command.usageMessage().width();
    TextTable table =
        TextTable.forColumns(
            help.colorScheme(),
            new Column(USAGE_WIDTH, 2, Column.Overflow.SPAN),
            new Column(width - USAGE_WIDTH, 1, Column.Overflow.WRAP));
    table.indentWrappedLines = 0;
    lines.forEach(line -> table.addRowValues(line.usage(), all ? line.help() : line.summary()));
    return table;
  }

  /** Returns the last line, which names the options that are not shown. */
  private String hint() {
    long more =
        sections().stream().flatMap(s -> s.lines().stream()).filter(o -> !o.everyday()).count();
    return more == 0 || isForAll()
        ? ""
        : "%n%s shows %d more options, and every option in full.%n".formatted(ALL, more);
  }
}
